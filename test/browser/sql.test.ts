import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inBrowser, seriousAxeFindings } from './studio-page.ts';

inBrowser('SQL', ({ open }) => {
  test('runs the statement under the cursor, and adds it to the history', async () => {
    const page = await open('/sql');
    const editor = page.getByLabel('SQL').locator('.cm-content');
    await editor.click();
    await page.keyboard.type('select 1 as one;\n\nselect email from users order by id limit 3;');
    await page.keyboard.press('Control+Enter');
    await page.getByText('3 rows in', { exact: false }).first().waitFor();
    expect(await page.getByRole('columnheader').innerText()).toContain('email');
    expect(await page.getByLabel('Query history').first().innerText()).toContain('select email');
    expect(await seriousAxeFindings(page)).toEqual([]);
  });

  test('shows the message of the database', async () => {
    const page = await open('/sql');
    page.removeAllListeners('console');
    await page.getByLabel('SQL').locator('.cm-content').click();
    await page.keyboard.type('select a from nowhere');
    await page.getByRole('button', { name: /^Run/ }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('nowhere');
  });

  test('completes the columns of an alias, and of the tables in the statement', async () => {
    const page = await open('/sql');
    const editor = page.locator('.sql-editor .cm-content');
    await editor.click();
    await page.keyboard.type('select 1 from users u where u.fam');
    await page.locator('.cm-completionLabel', { hasText: 'family_name' }).click();
    await expect.poll(() => editor.innerText()).toContain('where u.family_name');
    await page.keyboard.type(' = giv');
    await page.locator('.cm-completionLabel', { hasText: 'given_name' }).click();
    await expect.poll(() => editor.innerText()).toContain('u.family_name = given_name');
  });

  test('shows the plan of the statement under the cursor', async () => {
    const page = await open('/sql');
    await page.locator('.sql-editor .cm-content').click();
    await page.keyboard.type("select 1; select * from posts where body like '%x%'");
    await page.getByRole('button', { name: 'Explain' }).click();
    const plan = page.getByRole('list', { name: 'Plan' });
    await plan.waitFor();
    expect(await plan.innerText()).toContain('SCAN posts');
    expect(await plan.innerText()).toContain('full table scan');
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    expect(await page.getByRole('region', { name: 'Plan' }).innerText()).toBe('SCAN posts');
    expect(await seriousAxeFindings(page)).toEqual([]);
  });

  test('exports a result with exact values', async () => {
    const page = await open('/sql');
    await page.locator('.sql-editor .cm-content').click();
    await page.keyboard.type("select 9007199254740993 as n, 'a,\"b' as t, null as z, '' as e");
    await page.keyboard.press('Control+Enter');
    await page.getByText('1 row in').first().waitFor();
    await page.getByRole('button', { name: 'Export', exact: true }).last().click();
    const dialog = page.getByRole('dialog', { name: 'Export' });
    await dialog.getByText('All rows of the result.').waitFor();
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('result.csv');
    expect(readFileSync(await file.path(), 'utf8')).toBe('n,t,z,e\r\n9007199254740993,"a,""b",,""');
  });

  test('a long statement can be canceled, in the database too', async () => {
    const page = await open('/sql');
    page.removeAllListeners('console');
    await page.locator('.sql-editor .cm-content').click();
    await page.keyboard.type(
      'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n',
    );
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Canceled.').waitFor();
    await page.getByRole('button', { name: /^Run/ }).waitFor();
  });

  test('parameters have fields, and are sent exactly as typed', async () => {
    const page = await open('/sql');
    await page.getByRole('link', { name: /^tags/ }).waitFor();
    await page.locator('.sql-editor .cm-content').click();
    await page.keyboard.insertText('select :n + 0 as n, :t as t, :n + 1 as more, :z as z');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Enter a value for :n.').waitFor();
    const number = page.getByRole('textbox', { name: ':n' });
    expect(await page.evaluate('document.activeElement?.name')).toBe(':n');
    await number.fill('9007199254740993');
    await page.getByRole('textbox', { name: ':t' }).fill('42');
    await page.getByLabel(':t: type').selectOption('Text');
    await page.getByLabel(':z: type').selectOption('NULL');
    expect(await seriousAxeFindings(page)).toEqual([]);
    await number.press('Enter');
    await page.getByText('1 row in').first().waitFor();
    const cells = page.locator('[role="gridcell"]');
    expect(await cells.allInnerTexts()).toEqual([
      '9007199254740993',
      '42',
      '9007199254740994',
      'NULL',
    ]);
    expect(await page.locator('#cell-0-1 .num').count()).toBe(0);
  });

  test('a selected block of a result can be copied, and its sum is shown', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await open('/sql', { permissions });
    await page.locator('.sql-editor .cm-content').click();
    await page.keyboard.insertText("select 0.1 as n, 'a' as t union all select 0.2, 'b'");
    await page.keyboard.press('Control+Enter');
    await page.locator('#cell-0-0').click();
    await page.locator('#cell-1-1').click({ modifiers: ['Shift'] });
    await page.getByText('4 cells, sum 0.3').waitFor();
    await page.keyboard.press('Control+c');
    const copied = async (): Promise<unknown> => page.evaluate('navigator.clipboard.readText()');
    await expect.poll(copied).toBe('0.1\ta\n0.2\tb');
    await page.locator('#cell-1-1').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Copy as JSON' }).click();
    await expect.poll(copied).toBe('[\n  { "n": 0.1, "t": "a" },\n  { "n": 0.2, "t": "b" }\n]');
  });

  test('runs a script statement by statement, and marks what the database rejected', async () => {
    const page = await open('/sql');
    page.removeAllListeners('console');
    await page.getByRole('link', { name: /^tags/ }).waitFor();
    await page.locator('.sql-editor .cm-content').click();
    await page.keyboard.insertText(
      "select 1 as one;\nselect ';' as two; -- ;\nselect nosuch\nfrom tags;\nselect 4 as four",
    );
    await page.keyboard.press('Control+Shift+Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('nosuch');
    expect(await page.locator('[data-fault]').allInnerTexts()).toEqual(['nosuch']);
    const results = page.getByRole('tablist', { name: 'Results' });
    expect(await results.getByRole('tab').allInnerTexts()).toEqual(['1', '2', '3', '4']);
    await results.getByRole('tab', { name: '2' }).click();
    expect(await page.locator('[role="gridcell"]').allInnerTexts()).toEqual([';']);
    await results.getByRole('tab', { name: '4' }).click();
    await page.getByText('Not run, because', { exact: false }).waitFor();
    expect(await seriousAxeFindings(page)).toEqual([]);
    await page.getByText('Stop at the first error').click();
    await page.getByRole('button', { name: 'Run all' }).click();
    await expect
      .poll(async () => {
        await results.getByRole('tab', { name: '4' }).click();
        return page.locator('[role="gridcell"]').allInnerTexts();
      })
      .toEqual(['4']);
  });

  test('a statement that writes all rows is confirmed, with their number', async () => {
    const page = await open('/sql');
    await page.getByRole('link', { name: /^tags/ }).waitFor();
    await page.locator('.sql-editor .cm-content').click();
    await page.keyboard.insertText('update readings set seats = seats');
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('It has no WHERE clause and writes 90 rows.').waitFor();
    expect(await seriousAxeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('run the statement under the cursor', { exact: false }).waitFor();
    await page.getByRole('button', { name: /^Run/ }).click();
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('changed 90 rows in').first().waitFor();
  });

  test('tabs have names, texts and results of their own, and survive another page', async () => {
    const page = await open('/sql');
    const editor = page.locator('.sql-editor .cm-content');
    await editor.click();
    await page.keyboard.insertText('select 11 as first');
    await page.keyboard.press('Control+Enter');
    await page.getByText('1 row in').first().waitFor();
    await page.getByRole('tab', { name: 'Query 1' }).dblclick();
    await page.getByLabel('Tab name').fill('Counts');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'New tab' }).click();
    await editor.click();
    await page.keyboard.insertText('select 22 as second');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('columnheader', { name: 'second' }).waitFor();
    await page.getByRole('link', { name: /^tags/ }).click();
    await page.getByRole('gridcell').first().waitFor();
    await page.getByRole('link', { name: 'SQL', exact: true }).first().click();
    await page.getByRole('columnheader', { name: 'second' }).waitFor();
    await page.getByRole('tab', { name: 'Counts' }).click();
    await page.getByRole('columnheader', { name: 'first' }).waitFor();
    expect(await editor.innerText()).toContain('select 11');
    await page.getByRole('button', { name: 'Close tab' }).first().click();
    await page.reload();
    await expect.poll(() => editor.innerText()).toContain('select 22');
    await page.getByRole('button', { name: 'Reopen Counts' }).click();
    await expect.poll(() => editor.innerText()).toContain('select 11');
  });

  test('statements are saved, found again and restored', async () => {
    const page = await open('/sql');
    const editor = page.locator('.sql-editor .cm-content');
    await editor.click();
    await page.keyboard.insertText('-- how many\nselect count(*) as users from users');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await editor.click();
    await page.keyboard.press('Control+Enter');
    await page.getByText('1 row in').first().waitFor();
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('select 2');
    await page.getByRole('tab', { name: /^Saved/ }).click();
    await page.getByLabel('Search query history').fill('how many');
    await page.getByRole('button', { name: 'how many', exact: true }).click();
    await expect.poll(() => editor.innerText()).toContain('select count(*) as users');
  });
});
