/** SQL modes, and combination modes, that change how the text is tokenized. */
export const lexicalModes =
  /\b(?:ANSI_QUOTES|NO_BACKSLASH_ESCAPES|ANSI|DB2|MAXDB|MSSQL|ORACLE|POSTGRESQL)\b/i;
