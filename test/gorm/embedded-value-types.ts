/** A Go file of values whose methods choose the types of columns, and of the targets of relations. */
export const valueTypes = `package base

import (
	"database/sql/driver"
	"fmt"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/schema"
)

type Money struct {
	Cents    int64  \`gorm:"comment:cents;not null"\`
	Currency string \`gorm:"size:3;default:7"\`
}

func (m Money) Value() (driver.Value, error) { return m.Cents, nil }
func (m *Money) Scan(any) error              { return nil }

type Status string

func (s Status) Value() (driver.Value, error) { return string(s), nil }

type Level int

func (Level) GormDataType() string { return "smallint" }

type Label string

func (Label) GormDBDataType(db *gorm.DB, field *schema.Field) string {
	size := 20 + len(field.Schema.Table) + 2*len(field.DBName)
	if strings.HasPrefix(field.DBName, "x_") {
		size++
	}
	if _, ok := field.TagSettings["NOT NULL"]; ok {
		size += 100
	}
	return fmt.Sprintf("varchar(%d)", size)
}

type Color string

func (Color) GormDataType() string { return "color" }

func (Color) GormDBDataType(db *gorm.DB, field *schema.Field) string {
	switch db.Dialector.Name() {
	case "mysql", "sqlite":
		return "varchar(" + fmt.Sprint(len(field.Schema.Name)+field.Size+5) + ")"
	}
	if field.Name == "Kind" {
		return "char(7)"
	}
	return "char(" + fmt.Sprint(len(field.Name)+1) + ")"
}

type Optional[T any] struct{ V T }

func (o Optional[T]) Value() (driver.Value, error) { return o.V, nil }
func (o *Optional[T]) Scan(any) error              { return nil }

type Owner struct {
	ID   uint
	Code string \`gorm:"size:12;uniqueIndex"\`
	Tags []Tag  \`gorm:"many2many:owner_tags"\`
}

type Note struct {
	ID          int64
	Text        string
	SubjectID   uint
	SubjectType string \`gorm:"size:40"\`
}

type Tag struct {
	Name  string \`gorm:"primaryKey;size:30"\`
	Peers []*Tag \`gorm:"many2many:tag_peers"\`
}

type Pair struct {
	A    int \`gorm:"primaryKey;autoIncrement:false"\`
	B    string \`gorm:"primaryKey;size:9"\`
	Text string
}
`;
