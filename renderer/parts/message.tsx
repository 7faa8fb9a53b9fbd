/** A sentence that says what is wrong, and what to do. */
import type { ReactNode } from 'react';
import { T } from '../texts.js';

export function Message({ kind = 'error', children, onDismiss }: { readonly kind?: 'error' | 'warning' | 'info'; readonly children: ReactNode; readonly onDismiss?: (() => void) | undefined }) {
  return (
    <div className={`message ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      <span>{children}</span>
      {onDismiss !== undefined && (
        <button type="button" className="plain" onClick={onDismiss}>
          {T.common.dismiss}
        </button>
      )}
    </div>
  );
}
