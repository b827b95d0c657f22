import { expect, test } from 'vitest';
import { inBrowser, seriousFindings } from './studio-page.ts';

inBrowser('SQL', ({ open }) => {
  test('runs the statement under the cursor, and keeps it', async () => {
    const page = await open('/sql');
    const editor = page.getByLabel('SQL').locator('.cm-content');
    await editor.click();
    await page.keyboard.type('select 1 as one;\n\nselect email from users order by id limit 3;');
    await page.keyboard.press('Control+Enter');
    await page.getByText('3 rows in', { exact: false }).first().waitFor();
    expect(await page.getByRole('columnheader').innerText()).toContain('email');
    expect(await page.getByLabel('Earlier statements').first().innerText()).toContain(
      'select email',
    );
    expect(await seriousFindings(page)).toEqual([]);
  });

  test('says what the database says', async () => {
    const page = await open('/sql');
    page.removeAllListeners('console');
    await page.getByLabel('SQL').locator('.cm-content').click();
    await page.keyboard.type('select a from nowhere');
    await page.getByRole('button', { name: /^Run/ }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('nowhere');
  });
});
