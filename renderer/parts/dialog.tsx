/** A modal dialog of the browser's own: it keeps the focus and gives it back. */
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { T } from '../texts.js';

export function Dialog({ title, onClose, children }: { readonly title: string; readonly onClose: () => void; readonly children: ReactNode }) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    const dialog = element.current;
    if (dialog?.open === false) dialog.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === element.current) onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

/** The foot of a dialog that only shows something. */
export function CloseRow({ onClose }: { readonly onClose: () => void }) {
  return (
    <div className="actions">
      <button type="button" onClick={onClose}>
        {T.common.close}
      </button>
    </div>
  );
}
