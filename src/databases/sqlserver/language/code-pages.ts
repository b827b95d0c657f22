import type { Charset } from '../../../sql/script-settings.ts';

/** By the CODEPAGE of BULK INSERT. UTF-16 is that of DATAFILETYPE = 'widechar'. */
const encodings: Readonly<Record<string, Charset | 'utf-16'>> = {
  '65001': 'utf8',
  '1252': 'windows-1252',
  ACP: 'windows-1252',
  '28591': 'latin1',
  '28605': 'iso-8859-15',
  'UTF-16': 'utf-16',
};

/** The code page of OEM is that of the server, and RAW that of each column. */
export function encodingOfCodePage(name: string): Charset | 'utf-16' {
  return encodings[name.toUpperCase()] ?? 'other';
}
