import { words } from '../../../portable/lexer/words.ts';
import type { SplitRules } from '../../../portable/lexer/split.ts';

const moduleObjects = ['PROC', 'PROCEDURE', 'FUNCTION', 'TRIGGER'];

const permissions = words(`
  SELECT INSERT UPDATE DELETE EXECUTE ALTER CREATE BACKUP
`);

/** In T-SQL, reserved verbs begin statements without a delimiter, and modules such as procedures need their own batch. */
export const sqlserverSplitRules: SplitRules = {
  bodies: {
    verbs: ['CREATE', 'ALTER'],
    objects: moduleObjects,
    notAfter: ['PARTITION'],
    window: 4,
  },
  blocksAnywhere: true,
  bodiesFillBatch: true,
  opensBlock: [
    {
      word: 'BEGIN',
      notBefore: ['TRAN', 'TRANSACTION', 'DISTRIBUTED', 'DIALOG', 'CONVERSATION'],
    },
    { word: 'CASE' },
  ],
  closesBlock: [
    {
      word: 'END',
      notBefore: ['CONVERSATION'],
      // GENERATED ALWAYS AS ROW END
      notAfter: ['AS ROW', 'AS TRANSACTION_ID', 'AS SEQUENCE_NUMBER'],
    },
  ],
  ignoresDelimiterInParentheses: false,
  undelimited: {
    verbs: words(`
      SELECT INSERT UPDATE DELETE MERGE TRUNCATE BULK READTEXT WRITETEXT UPDATETEXT
      CREATE ALTER DROP GRANT REVOKE DENY USE SET DECLARE EXEC EXECUTE IF WHILE BEGIN
      BREAK CONTINUE RETURN GOTO WAITFOR PRINT RAISERROR OPEN FETCH CLOSE DEALLOCATE
      COMMIT ROLLBACK SAVE CHECKPOINT BACKUP RESTORE DBCC KILL RECONFIGURE SHUTDOWN
      REVERT
    `),
    notAfter: [
      'UNION',
      'UNION ALL',
      'EXCEPT',
      'INTERSECT',
      'AS',
      'OR',
      'FOR',
      'AFTER',
      'OF',
      'THEN',
      'THEN UPDATE',
      'ELSE',
      'BULK',
      'WITH',
      ',',
    ],
    notBefore: {
      ALTER: ['COLUMN'],
      BEGIN: ['CATCH'],
      DELETE: ['CASCADE', 'NO', 'SET'],
      DROP: words('COLUMN CONSTRAINT MEMBER PERIOD MASKED ROWGUIDCOL PERSISTED SPARSE HIDDEN NOT'),
      GRANT: ['OPTION'],
      MERGE: ['JOIN', 'RANGE'],
      SET: ['DEFAULT', 'NULL'],
      UPDATE: ['CASCADE', 'NO', 'SET'],
    },
    clauses: {
      ALTER: ['SET'],
      BULK: ['INSERT'],
      DENY: permissions,
      GRANT: permissions,
      INSERT: ['SELECT', 'EXEC', 'EXECUTE'],
      OFFSET: ['FETCH'],
      REVOKE: permissions,
      UPDATE: ['SET'],
    },
    clauseWords: ['VALUES', 'OFFSET'],
    leads: ['IF', 'WHILE', 'WITH'],
  },
};
