import { useState } from 'react';
import type { JSX } from 'react';
import { encodeSegment } from '../../../src/model/row-id.ts';
import { apiUrl, client } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { CellView } from '../cells/cell-view.tsx';
import { imageTypeOf } from '../cells/image-type.ts';
import { base64Of } from '../cells/value-kind.ts';
import { messageOf } from '../parts/error-notice.tsx';
import { Icon } from '../parts/icon.tsx';
import { sizeText } from '../parts/size-text.ts';
import { showToast } from '../parts/toast.tsx';
import type { FieldProps } from './field-props.ts';
import { NullButtons } from './null-buttons.tsx';
import { recordTexts as texts } from '../texts/record.ts';

/** Larger files do not fit into the request that saves all changes. They are uploaded at once, each on its own. In bytes. */
const maxStagedBytes = 8_000_000;
const limit = sizeText(maxStagedBytes);

/** A binary value: its preview and size, download and upload. */
export function BinaryField(props: FieldProps): JSX.Element {
  const { column, value, shown, disabledReason } = props;
  const [isBusy, setBusy] = useState(false);
  const base64 = value === undefined ? undefined : base64Of(value);
  const type = base64 === undefined ? undefined : imageTypeOf(base64);
  const isStored = shown.kind === 'stored' && !Object.hasOwn(shown.values, column.name);
  const upload = (file: File): void => {
    setBusy(true);
    stageOrUpload(props, file)
      .catch((error: unknown) =>
        showToast({
          kind: 'error',
          title: texts.uploadFailed({ file: file.name }),
          detail: messageOf(error),
        }),
      )
      .finally(() => setBusy(false));
  };
  return (
    <div
      className="binary-field"
      data-takes-files={disabledReason === undefined ? '' : undefined}
      aria-busy={isBusy}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        const [file] = event.dataTransfer.files;
        if (file === undefined || disabledReason !== undefined) return;
        event.preventDefault();
        event.stopPropagation();
        upload(file);
      }}
    >
      {type !== undefined && <img src={`data:${type};base64,${base64}`} alt={column.name} />}
      <div className="row">
        <CellView value={value} column={column} />
        <span className="t3 small">{type?.replace('image/', '').toUpperCase()}</span>
        <span className="grow" />
        <NullButtons {...props} />
        {isStored && value !== null && <Download {...props} />}
        {disabledReason === undefined && <Upload {...props} onUpload={upload} />}
      </div>
    </div>
  );
}

function Download({ column, address }: FieldProps): JSX.Element {
  const cell = `${encodeSegment(address.table)}/rows/${address.id}/cells/${encodeSegment(column.name)}`;
  return (
    <a
      className="ib"
      aria-label={texts.downloadField({ column: column.name })}
      title={texts.download}
      href={apiUrl(`/tables/${cell}?show_deleted=true`)}
    >
      <Icon name="download" />
    </a>
  );
}

interface UploadProps extends FieldProps {
  readonly onUpload: (file: File) => void;
}

function Upload({ column, onUpload }: UploadProps): JSX.Element {
  return (
    <label className="ib upload" title={texts.upload}>
      <Icon name="upload" />
      <input
        type="file"
        className="visually-hidden"
        aria-label={texts.uploadField({ column: column.name })}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file !== undefined) onUpload(file);
          event.target.value = '';
        }}
      />
    </label>
  );
}

/** Encodes a file. TypeScript's DOM types do not have `Uint8Array.prototype.toBase64` yet, so a `FileReader` does it. */
async function base64Text(file: File): Promise<string> {
  const reader = new FileReader();
  const isRead = new Promise((resolve, reject) => {
    reader.addEventListener('load', resolve);
    reader.addEventListener('error', () =>
      reject(new Error(texts.fileNotRead({ file: file.name }))),
    );
  });
  reader.readAsDataURL(file);
  await isRead;
  return typeof reader.result === 'string' ? (reader.result.split(',')[1] ?? '') : '';
}

async function stageOrUpload({ table, column, shown, address, onPut }: FieldProps, file: File) {
  if (file.size <= maxStagedBytes) {
    onPut({ [column.name]: { $base64: await base64Text(file) } });
    return;
  }
  if (shown.kind === 'new' || shown.stored === undefined)
    throw new Error(texts.saveRowFirst({ limit }));
  const { etag } = shown.stored;
  await client.call('PUT /tables/:table/rows/:id/cells/:column', {
    params: { table: table.name, id: address.id, column: column.name },
    query: { show_deleted: true },
    body: file,
    ...(etag === undefined ? {} : { ifMatch: etag }),
  });
  showToast({
    kind: 'done',
    title: texts.uploaded({ file: file.name }),
    detail: texts.uploadedImmediately({ size: sizeText(file.size), limit }),
  });
  await queryClient.invalidateQueries({ queryKey: ['rows'] });
}
