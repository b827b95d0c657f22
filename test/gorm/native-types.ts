/** Native types for the setting `type:`, with several names for one type. */
export type DatabaseName = 'postgres' | 'mysql' | 'sqlite';

export const nativeTypes: Readonly<Record<DatabaseName, readonly string[]>> = {
  postgres:
    'char(5);varchar(5);varchar(7);varchar;text;character varying(7);character(5);bpchar(5);smallint;int2;integer;int4;int;bigint;int8;numeric;numeric(5);numeric(5,2);decimal(5,2);numeric(7, 2);real;float4;float8;float(10);float(40);double precision;timestamp;timestamptz;timestamp(3);timestamptz(3);timestamp without time zone;timestamp with time zone;timestamp(3) with time zone;time;time(3);timetz;date;interval;bool;boolean;json;jsonb;uuid;bytea;inet;cidr;bit(3);bit(5);varbit(3);bit varying(3);text[];int[];integer[];bigint[];varchar(5)[];money;xml;name;point;tsvector'.split(
      ';',
    ),
  mysql:
    "char(5);varchar(5);varchar(7);character varying(5);text;text(100);tinytext;mediumtext;longtext;tinyint;tinyint(1);bool;boolean;smallint;mediumint;int;integer;bigint;int unsigned;bigint unsigned;int(11);int(5) zerofill;decimal;decimal(5);decimal(5,2);decimal(7, 2);numeric(5,2);float;double;double precision;real;float(5,2);datetime;datetime(3);timestamp;timestamp(3);time;time(3);date;year;blob;tinyblob;longblob;binary(5);varbinary(5);varbinary(9);json;bit;bit(3);enum('a','b');enum('a', 'b');enum('a','b','c');set('a','b');uuid;char(5) character set latin1;varchar(5) collate utf8mb4_bin;point".split(
      ';',
    ),
  sqlite:
    'char(5);varchar(5);varchar(7);character varying(5);text;clob;int;integer;bigint;smallint;tinyint;real;float;double;double precision;numeric;numeric(5,2);decimal(5,2);decimal(7,2);datetime;timestamp;date;time;bool;boolean;blob;json;nvarchar(5);int8;unsigned big int;any;text collate nocase'.split(
      ';',
    ),
};
