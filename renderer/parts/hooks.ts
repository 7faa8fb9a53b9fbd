/** Small things that several screens need. */
import { createContext, useCallback, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Connection, Snapshot } from '../engine/connection.js';
import type { SessionView } from '../engine/session-view.js';
import { sentenceOf } from '../engine/api.js';

export const EngineContext = createContext<Connection | undefined>(undefined);

export function useEngine(): Connection {
  const connection = useContext(EngineContext);
  if (connection === undefined) throw new Error('There is no engine above this component.');
  return connection;
}

export function useSnapshot(): Snapshot {
  const engine = useEngine();
  return useSyncExternalStore(engine.subscribe, () => engine.snapshot);
}

/** The view of a session, drawn again whenever it has changed; undefined without a session. */
export function useSession(session: string | undefined): SessionView | undefined {
  const engine = useEngine();
  const [view, setView] = useState<SessionView>();
  useEffect(() => {
    if (session === undefined) return;
    setView(engine.watch(session));
    return () => {
      setView(undefined);
      engine.unwatch(session);
    };
  }, [engine, session]);
  useSyncExternalStore(view?.subscribe ?? never, () => view?.version ?? 0);
  return view;
}
const never = () => () => undefined;

/** Whether what has the focus takes letters. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range'].includes(target.type);
}

/** A key by its name ("a", "ArrowUp", " "), with "ctrl+" before it where that was held. */
export type KeyMap = Readonly<Record<string, (() => void) | undefined>>;

/**
 * Keys of a screen. They do nothing while somebody types, while an input method is at work, or while a dialog is open; Space and Enter
 * stay with the button that has the focus, arrows with a slider.
 */
export function useKeys(keys: KeyMap): void {
  const newest = useRef(keys);
  useEffect(() => {
    newest.current = keys;
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      const { target } = event;
      if (event.defaultPrevented || event.isComposing || event.altKey || isTyping(target)) return;
      if (document.querySelector('dialog[open]') !== null) return;
      if (target instanceof HTMLElement && (event.key === ' ' || event.key === 'Enter') && target.closest('button, a, summary, input') !== null) return;
      if (target instanceof HTMLInputElement && target.type === 'range' && event.key.startsWith('Arrow')) return;
      const held = event.ctrlKey || event.metaKey;
      const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const action = newest.current[held ? `ctrl+${name}` : name];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    window.addEventListener('keydown', listener);
    return () => {
      window.removeEventListener('keydown', listener);
    };
  }, []);
}

/** Something asked of the engine: the answer, or why there is none. `again` asks once more. */
export function useAnswer<A>(ask: () => Promise<A>, depends: readonly unknown[]): { readonly answer: A | undefined; readonly problem: string | undefined; readonly again: () => void } {
  const [answer, setAnswer] = useState<A>();
  const [problem, setProblem] = useState<string>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    let current = true;
    ask().then(
      (value) => {
        if (!current) return;
        setAnswer(() => value);
        setProblem(undefined);
      },
      (thrown: unknown) => {
        if (current) setProblem(sentenceOf(thrown));
      },
    );
    return () => {
      current = false;
    };
    // the caller names what its question depends on
  }, [...depends, round]);
  return {
    answer,
    problem,
    again: useCallback(() => {
      setRound((before) => before + 1);
    }, []),
  };
}

/** A value that stays with this browser. */
export function useKept(name: string, first: string): readonly [string, (value: string) => void] {
  const [value, setValue] = useState(() => {
    try {
      return localStorage.getItem(`hearback.${name}`) ?? first;
    } catch {
      return first;
    }
  });
  const keep = useCallback(
    (next: string) => {
      setValue(next);
      try {
        localStorage.setItem(`hearback.${name}`, next);
      } catch {
        // a browser that keeps nothing: it holds until the page is closed
      }
    },
    [name],
  );
  return [value, keep];
}

/** Width of an element, kept up to date. */
export function useWidth(): readonly [(element: HTMLElement | null) => void, number] {
  const [width, setWidth] = useState(0);
  const observer = useRef<ResizeObserver | undefined>(undefined);
  const attach = useCallback((element: HTMLElement | null) => {
    observer.current?.disconnect();
    if (element === null) return;
    setWidth(element.clientWidth);
    observer.current = new ResizeObserver(() => {
      setWidth(element.clientWidth);
    });
    observer.current.observe(element);
  }, []);
  return [attach, width];
}
