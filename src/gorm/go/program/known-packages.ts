/**
 * Types of third-party packages that models use. They are declared in Go, with the fields and
 * methods that GORM inspects by reflection, and are parsed like user files.
 */
import { isGoSyntaxError } from '../syntax/outline.ts';
import { groupPackages } from './program.ts';
import { parseFile } from '../syntax/parse-file.ts';
import type { GoPackage, KnownPackage } from './program.ts';

interface KnownSource {
  /** Its import paths. */
  readonly paths: RegExp;
  readonly source: string;
}

const sources: readonly KnownSource[] = [
  {
    paths: /^time$/,
    source: `package time
type Location struct { name string }
type Time struct { wall uint64; ext int64; loc *Location }
type Duration int64
type Month int
type Weekday int
func Now() Time {}
`,
  },
  {
    paths: /^database\/sql$/,
    source: `package sql
import ("time"; "database/sql/driver")
type NullString struct { String string; Valid bool }
func (n NullString) Value() (driver.Value, error) { return nil, nil }
type NullInt64 struct { Int64 int64; Valid bool }
func (n NullInt64) Value() (driver.Value, error) { return nil, nil }
type NullInt32 struct { Int32 int32; Valid bool }
func (n NullInt32) Value() (driver.Value, error) { return nil, nil }
type NullInt16 struct { Int16 int16; Valid bool }
func (n NullInt16) Value() (driver.Value, error) { return nil, nil }
type NullByte struct { Byte byte; Valid bool }
func (n NullByte) Value() (driver.Value, error) { return nil, nil }
type NullFloat64 struct { Float64 float64; Valid bool }
func (n NullFloat64) Value() (driver.Value, error) { return nil, nil }
type NullBool struct { Bool bool; Valid bool }
func (n NullBool) Value() (driver.Value, error) { return nil, nil }
type NullTime struct { Time time.Time; Valid bool }
func (n NullTime) Value() (driver.Value, error) { return nil, nil }
type Null[T any] struct { V T; Valid bool }
func (n Null[T]) Value() (driver.Value, error) { return nil, nil }
type RawBytes []byte
`,
  },
  { paths: /^database\/sql\/driver$/, source: `package driver\ntype Value any\n` },
  {
    paths: /^encoding\/json$/,
    source: `package json\ntype RawMessage []byte\ntype Number string\n`,
  },
  {
    paths: /^math\/big$/,
    source: `package big
type Word uint
type nat []Word
type Int struct { neg bool; abs nat }
type Rat struct { a Int; b Int }
type Float struct { prec uint32; mode byte; acc int8; form byte; neg bool; mant nat; exp int32 }
`,
  },
  {
    paths: /^net$/,
    source: `package net
type IP []byte
type IPMask []byte
type IPNet struct { IP IP; Mask IPMask }
type HardwareAddr []byte
`,
  },
  {
    paths: /^net\/url$/,
    source: `package url
type Userinfo struct { username string; password string; passwordSet bool }
type URL struct { Scheme string; Opaque string; User *Userinfo; Host string; Path string; Fragment string; RawQuery string; RawPath string; RawFragment string; ForceQuery bool; OmitHost bool }
`,
  },
  {
    paths: /^sync$/,
    source: `package sync
type Mutex struct { state int32; sema uint32 }
type RWMutex struct { w Mutex; writerSem uint32 }
type Once struct { done uint32; m Mutex }
`,
  },
  {
    paths: /^gorm\.io\/gorm$/,
    source: `package gorm
import ("time"; "database/sql"; "database/sql/driver")
type DeletedAt sql.NullTime
func (n DeletedAt) Value() (driver.Value, error) { return nil, nil }
type Model struct {
	ID        uint \`gorm:"primarykey"\`
	CreatedAt time.Time
	UpdatedAt time.Time
	DeletedAt DeletedAt \`gorm:"index"\`
}
`,
  },
  {
    paths: /^github\.com\/jinzhu\/gorm$/,
    source: `package gorm
import "time"
type Model struct {
	ID        uint \`gorm:"primary_key"\`
	CreatedAt time.Time
	UpdatedAt time.Time
	DeletedAt *time.Time \`sql:"index"\`
}
`,
  },
  {
    paths: /^gorm\.io\/gorm\/schema$/,
    source: `package schema
type DataType string
const (
	Bool DataType = "bool"
	Int DataType = "int"
	Uint DataType = "uint"
	Float DataType = "float"
	String DataType = "string"
	Time DataType = "time"
	Bytes DataType = "bytes"
)
type Namer interface {}
type Tabler interface {}
type Field struct { Name string }
`,
  },
  {
    paths: /^(?:os|io\/fs)$/,
    source: `package fs
type FileMode uint32
const ModePerm FileMode = 0777
`,
  },
  {
    paths: /^gorm\.io\/plugin\/soft_delete$/,
    source: `package soft_delete\ntype DeletedAt uint\n`,
  },
  {
    paths: /^gorm\.io\/datatypes$/,
    source: `package datatypes
import ("time"; "net/url"; "encoding/json"; "database/sql"; "database/sql/driver"; "gorm.io/gorm"; "gorm.io/gorm/schema")
type JSON json.RawMessage
func (j JSON) Value() (driver.Value, error) { return nil, nil }
func (JSON) GormDataType() string { return "json" }
func (JSON) GormDBDataType(db *gorm.DB, field *schema.Field) string { return jsonOf(db.Dialector.Name()) }
type JSONMap map[string]interface{}
func (j JSONMap) Value() (driver.Value, error) { return nil, nil }
func (JSONMap) GormDataType() string { return "jsonmap" }
func (JSONMap) GormDBDataType(db *gorm.DB, field *schema.Field) string {
	if db.Dialector.Name() == "sqlserver" { return "NVARCHAR(MAX)" }
	return jsonOf(db.Dialector.Name())
}
type JSONType[T any] struct { data T }
func (j JSONType[T]) Value() (driver.Value, error) { return json.Marshal(j.data) }
func (JSONType[T]) GormDataType() string { return "json" }
func (JSONType[T]) GormDBDataType(db *gorm.DB, field *schema.Field) string { return jsonOf(db.Dialector.Name()) }
type JSONSlice[T any] []T
func (j JSONSlice[T]) Value() (driver.Value, error) { return json.Marshal(j) }
func (JSONSlice[T]) GormDataType() string { return "json" }
func (JSONSlice[T]) GormDBDataType(db *gorm.DB, field *schema.Field) string { return jsonOf(db.Dialector.Name()) }
func jsonOf(driver string) string {
	switch driver {
	case "sqlite", "mysql": return "JSON"
	case "postgres": return "JSONB"
	}
	return ""
}
type Date time.Time
func (d Date) Value() (driver.Value, error) { return time.Now(), nil }
func (Date) GormDataType() string { return "date" }
type Time time.Duration
func (t Time) Value() (driver.Value, error) { return "", nil }
func (Time) GormDataType() string { return "time" }
func (Time) GormDBDataType(db *gorm.DB, field *schema.Field) string {
	if db.Dialector.Name() == "sqlite" { return "TEXT" }
	return "TIME"
}
type URL url.URL
func (u URL) Value() (driver.Value, error) { return "", nil }
func (URL) GormDataType() string { return "url" }
func (URL) GormDBDataType(db *gorm.DB, field *schema.Field) string { return "TEXT" }
type UUID [16]byte
func (u UUID) Value() (driver.Value, error) { return "", nil }
func (UUID) GormDataType() string { return "string" }
func (UUID) GormDBDataType(db *gorm.DB, field *schema.Field) string {
	switch db.Dialector.Name() {
	case "mysql": return "LONGTEXT"
	case "postgres": return "UUID"
	case "sqlserver": return "NVARCHAR(128)"
	case "sqlite": return "TEXT"
	}
	return ""
}
type BinUUID [16]byte
func (u BinUUID) Value() (driver.Value, error) { return []byte{}, nil }
func (BinUUID) GormDataType() string { return "BINARY(16)" }
func (BinUUID) GormDBDataType(db *gorm.DB, field *schema.Field) string {
	switch db.Dialector.Name() {
	case "mysql", "sqlserver": return "BINARY(16)"
	case "postgres": return "BYTEA"
	case "sqlite": return "BLOB"
	}
	return ""
}
type Null[T any] = sql.Null[T]
type NullString = sql.Null[string]
type NullBool = sql.Null[bool]
type NullFloat64 = sql.Null[float64]
type NullInt16 = sql.Null[int16]
type NullInt32 = sql.Null[int32]
type NullInt64 = sql.Null[int64]
type NullByte = sql.Null[byte]
type NullTime = sql.Null[time.Time]
`,
  },
  {
    paths:
      /^github\.com\/(?:google\/uuid|gofrs\/uuid(?:\/v\d+)?|satori\/go\.uuid|hashicorp\/go-uuid)$/,
    source: `package uuid
import "database/sql/driver"
type UUID [16]byte
func (u UUID) Value() (driver.Value, error) { return "", nil }
type NullUUID struct { UUID UUID; Valid bool }
func (n NullUUID) Value() (driver.Value, error) { return nil, nil }
type UUIDs []UUID
`,
  },
  {
    paths: /^github\.com\/oklog\/ulid(?:\/v\d+)?$/,
    source: `package ulid
import "database/sql/driver"
type ULID [16]byte
func (u ULID) Value() (driver.Value, error) { return []byte{}, nil }
`,
  },
  {
    paths: /^github\.com\/shopspring\/decimal$/,
    source: `package decimal
import ("math/big"; "database/sql/driver")
type Decimal struct { value *big.Int; exp int32 }
func (d Decimal) Value() (driver.Value, error) { return "0", nil }
type NullDecimal struct { Decimal Decimal; Valid bool }
func (d NullDecimal) Value() (driver.Value, error) { return nil, nil }
`,
  },
  {
    paths: /^github\.com\/lib\/pq$/,
    source: `package pq
import ("time"; "database/sql"; "database/sql/driver")
type StringArray []string
func (a StringArray) Value() (driver.Value, error) { return nil, nil }
type Int64Array []int64
func (a Int64Array) Value() (driver.Value, error) { return nil, nil }
type Int32Array []int32
func (a Int32Array) Value() (driver.Value, error) { return nil, nil }
type Float64Array []float64
func (a Float64Array) Value() (driver.Value, error) { return nil, nil }
type Float32Array []float32
func (a Float32Array) Value() (driver.Value, error) { return nil, nil }
type BoolArray []bool
func (a BoolArray) Value() (driver.Value, error) { return nil, nil }
type ByteaArray [][]byte
func (a ByteaArray) Value() (driver.Value, error) { return nil, nil }
type GenericArray struct { A interface{} }
func (a GenericArray) Value() (driver.Value, error) { return nil, nil }
type NullTime = sql.NullTime
`,
  },
  {
    paths: /^(?:gopkg\.in\/guregu\/null\.v\d+|github\.com\/guregu\/null(?:\/v\d+)?)$/,
    source: `package null
import "database/sql"
type String struct { sql.NullString }
type Int struct { sql.NullInt64 }
type Int64 struct { sql.NullInt64 }
type Int32 struct { sql.NullInt32 }
type Int16 struct { sql.NullInt16 }
type Byte struct { sql.NullByte }
type Float struct { sql.NullFloat64 }
type Bool struct { sql.NullBool }
type Time struct { sql.NullTime }
type Value[T any] struct { sql.Null[T] }
`,
  },
];

/** The packages. Each is parsed when a file first imports it. */
export const knownPackages: readonly KnownPackage[] = sources.map(({ paths, source: go }) => {
  let content: GoPackage | undefined;
  return { paths, content: () => (content ??= parseKnownPackage(go)) };
});

function parseKnownPackage(go: string): GoPackage {
  const file = parseFile({ name: '', text: go });
  if (isGoSyntaxError(file)) throw new Error(`A known package cannot be parsed: ${file.message}`);
  const [found] = groupPackages([file]).values();
  if (found === undefined) throw new Error('A known package declares nothing.');
  return found;
}
