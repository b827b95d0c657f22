/** Which files that are not UTF-8 are read, and which ask for their encoding. */
import { expect, test } from 'vitest';
import { readCsv } from '../../../src/formats/csv/read.ts';
import { readAll, sourceOf } from '../run-reader.ts';
import type { ReadFile } from '../run-reader.ts';

function read(file: Uint8Array, encoding?: string): Promise<ReadFile> {
  const source = sourceOf(file, { name: 'f.csv', chunkBytes: 5 });
  return readAll('any', (context) => readCsv(source, context, { formulas: 'raw', encoding }));
}

/** The bytes of each character, by the decoder of the encoding. */
function encoderOf(encoding: string): (text: string) => Buffer {
  const decoder = new TextDecoder(encoding);
  const bytes = new Map<string, readonly number[]>();
  const add = (codes: readonly number[]): void => {
    const character = decoder.decode(new Uint8Array(codes));
    if ([...character].length === 1 && !bytes.has(character)) bytes.set(character, codes);
  };
  for (let first = 0; first < 0x100; first++) add([first]);
  for (let first = 0x81; first < 0xff; first++)
    for (let second = 0x40; second < 0xff; second++) add([first, second]);
  return (text) =>
    Buffer.from(
      [...text].flatMap((character) => {
        const codes = bytes.get(character);
        expect(codes, `${character} in ${encoding}`).toBeDefined();
        return codes!;
      }),
    );
}

test.each([
  ['German', 'Straße,Müller,Größe,Übermaß,äöüß,10 €,m²,20 °C'],
  ['French', 'Élève,cœur,naïf,« où »,l’été,ça,à côté,Noël,n° 5'],
  ['Spanish', '¿Qué?,mañana,1ª,2º,pingüino,¡Sí!,Nº 7'],
  ['Portuguese', 'ação,coração,irmãos,três,à,avó'],
  ['Danish', 'smørrebrød,Ærø,Århus,på,fjörður,þú'],
  ['Finnish', 'yö,hääyöaie,pää,Åbo,sää'],
  ['Catalan', 'col·lecció,això,força,què'],
  ['English', '“quoted” – and… £5 ½ ¾ ©,™'],
])('%s text in windows-1252 is read, with a warning', async (_, text) => {
  const values = text.split(',');
  const file = Buffer.concat([
    Buffer.from('t\n'),
    ...values.map((value) => encoderOf('windows-1252')(`${value}\n`)),
  ]);
  const { rows, warnings, failure } = await read(file);
  expect(failure).toBeUndefined();
  expect(rows.map(({ values: { t } }) => t)).toEqual(values);
  expect(warnings).toEqual([expect.stringContaining('was read as windows-1252')]);
});

test.each([
  ['windows-1251', 'Иван Петрович,Пётр,Мария,Москва'],
  ['koi8-r', 'Иван Петрович,Пётр,Мария,Москва'],
  ['windows-1253', 'Γειά σου,Αθήνα,Ελλάδα'],
  ['windows-1255', 'שלום,ירושלים,ישראל'],
  ['windows-1256', 'السلام عليكم,القاهرة'],
  ['windows-874', 'สวัสดี,กรุงเทพ'],
  ['windows-1250', 'Łódź,miłość,książka,żółty'],
  ['shift_jis', '東京,こんにちは,カタカナ,日本語'],
  ['euc-jp', '東京,こんにちは,日本語'],
  ['gbk', '北京,你好,上海市,中文'],
  ['big5', '臺北,你好,中文,高雄'],
  ['euc-kr', '서울,안녕하세요,부산'],
])('text in %s asks for the encoding, and is read with it', async (encoding, text) => {
  const values = text.split(',');
  const encode = encoderOf(encoding);
  const file = Buffer.concat([Buffer.from('t\n'), ...values.map((value) => encode(`${value}\n`))]);
  expect((await read(file)).failure).toMatchObject({
    code: 'parse_failed',
    message: expect.stringMatching(/^f\.csv is not UTF-8, and .* Set the parameter "encoding"/),
  });
  const { rows } = await read(file, encoding);
  expect(rows.map(({ values: { t } }) => t)).toEqual(values);
});
