/** The frame: screens, what runs where, connection, keys, and files that are dropped anywhere. */
import { useCallback, useEffect, useMemo, useState } from 'react';
import { listenToMicrophone, type Microphone } from './audio/microphone.js';
import { api, sentenceOf } from './engine/api.js';
import { Connection } from './engine/connection.js';
import { CloseRow, Dialog } from './parts/dialog.js';
import { EngineContext, useEngine, useKept, useKeys, useSession, useSnapshot } from './parts/hooks.js';
import { Icon } from './parts/icons.js';
import { Message } from './parts/message.js';
import { BenchmarkScreen } from './bench/screen.js';
import { LiveScreen } from './live/screen.js';
import { SourcesDialog } from './live/sources.js';
import { Welcome } from './live/welcome.js';
import { SessionChooser } from './review/chooser.js';
import { ReviewScreen } from './review/screen.js';
import { SessionsScreen } from './sessions/screen.js';
import { SetupScreen } from './setup/screen.js';
import { T } from './texts.js';
import icon from './icon.svg';

const SCREENS = ['live', 'review', 'sessions', 'benchmark', 'setup'] as const;
type Screen = (typeof SCREENS)[number];

interface Place {
  readonly screen: Screen;
  readonly session: string | undefined;
  readonly exchange: string | undefined;
}

/** "#/review/SESSION/EXCHANGE"; what is no place is the live board. */
function placeOf(hash: string): Place {
  const [screen, session, exchange] = hash
    .replace(/^#\/?/, '')
    .split('/')
    .map((part) => decodeURIComponent(part));
  const known = SCREENS.find((each) => each === screen) ?? 'live';
  return { screen: known, session: session === '' ? undefined : session, exchange: exchange === '' ? undefined : exchange };
}

function usePlace(): readonly [Place, (screen: Screen, session?: string, exchange?: string) => void] {
  const [place, setPlace] = useState(() => placeOf(location.hash));
  useEffect(() => {
    const listener = (): void => {
      setPlace(placeOf(location.hash));
    };
    window.addEventListener('hashchange', listener);
    return () => {
      window.removeEventListener('hashchange', listener);
    };
  }, []);
  const go = useCallback((screen: Screen, session?: string, exchange?: string) => {
    location.hash = `#/${[screen, session, exchange].flatMap((part) => (part === undefined ? [] : [encodeURIComponent(part)])).join('/')}`;
  }, []);
  return [place, go];
}

export function App() {
  const [engine, setEngine] = useState<Connection>();
  useEffect(() => {
    const made = new Connection();
    setEngine(made);
    return () => {
      made.close();
    };
  }, []);
  if (engine === undefined) return null;
  return (
    <EngineContext value={engine}>
      <Frame />
    </EngineContext>
  );
}

function Frame() {
  const engine = useEngine();
  const { link, engine: state, complaints, tasks } = useSnapshot();
  const [place, go] = usePlace();
  const [theme, setTheme] = useKept('theme', 'dark');
  const [sound, setSound] = useKept('sound', 'off');
  const [lastLive, setLastLive] = useState<string>();
  const [lastReview, setLastReview] = useState<string>();
  const [keysShown, setKeysShown] = useState(false);
  const [sourcesShown, setSourcesShown] = useState(false);
  const [dragging, setDragging] = useState(false);
  const [busy, setBusy] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [microphone, setMicrophone] = useState<Microphone>();

  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  useEffect(() => {
    if (place.screen === 'live' && place.session !== undefined) setLastLive(place.session);
    if (place.screen === 'review' && place.session !== undefined) setLastReview(place.session);
  }, [place]);

  const starting = async (work: () => Promise<string>): Promise<void> => {
    setBusy(T.live.opening);
    setProblem(undefined);
    try {
      go('live', await work());
    } catch (thrown) {
      setProblem(sentenceOf(thrown));
    } finally {
      setBusy(undefined);
    }
  };
  const open = useCallback(
    (file: File) => {
      void starting(async () => {
        try {
          const answer = await api.importFile(file, 'max', (fraction) => {
            setBusy(T.live.uploading(file.name, Math.round(fraction * 100)));
          });
          return answer.session;
        } catch (thrown) {
          const sentence = sentenceOf(thrown);
          throw sentence.includes(file.name) ? thrown : new Error(`${file.name}: ${sentence}`, { cause: thrown });
        }
      });
    },
    // the setters never change
    [],
  );
  const doors = useMemo(
    () => ({
      demo: () => void starting(async () => (await engine.open({ type: 'session.open', source: { kind: 'demo', speed: 1 } })).session),
      microphone: () =>
        void starting(async () => {
          const made = await listenToMicrophone(engine);
          setMicrophone(made);
          return made.session;
        }),
      file: open,
      others: () => {
        setSourcesShown(true);
      },
      speedTest: () => {
        go('setup');
        api.startSpeedTest().catch((thrown: unknown) => {
          setProblem(sentenceOf(thrown));
        });
      },
    }),
    [engine, open],
  );

  const importAll = useCallback((files: readonly File[]) => {
    void (async () => {
      for (const file of files) {
        try {
          await api.importFile(file, 'max', (fraction) => {
            setBusy(T.live.uploading(file.name, Math.round(fraction * 100)));
          });
        } catch (thrown) {
          // one bad file among many: it is told, and the others are read
          const sentence = sentenceOf(thrown);
          setProblem(sentence.includes(file.name) ? sentence : `${file.name}: ${sentence}`);
        }
      }
      setBusy(undefined);
    })();
  }, []);

  useEffect(() => {
    const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setDragging(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setDragging(false);
    };
    const drop = (event: DragEvent): void => {
      setDragging(false);
      if (!carriesFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      const files = [...(event.dataTransfer?.files ?? [])];
      const [first] = files;
      if (first === undefined) setProblem(T.live.notAudioDrop);
      else if (files.length === 1 && place.screen !== 'sessions') open(first);
      else {
        go('sessions');
        importAll(files);
      }
    };
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, [open, importAll, place.screen]);

  const toggleSound = (): void => {
    setSound(sound === 'on' ? 'off' : 'on');
  };
  useKeys({
    '?': () => {
      setKeysShown(true);
    },
  });

  const show = (screen: Screen): void => {
    go(screen, screen === 'live' ? lastLive : screen === 'review' ? (lastReview ?? lastLive) : undefined);
  };
  return (
    <div className="frame">
      <header className="top">
        <span className="brand">
          <img src={icon} alt="" /> {T.name}
        </span>
        <nav className="tabs" aria-label={T.top.screens}>
          {SCREENS.map((screen) => (
            <button
              key={screen}
              type="button"
              aria-current={place.screen === screen ? 'page' : undefined}
              onClick={() => {
                show(screen);
              }}
            >
              {T.tabs[screen]}
            </button>
          ))}
        </nav>
        <span className="push" />
        {link !== 'open' && (
          <span className="link-lost" role="status" title={T.link.reconnectingHint}>
            <Icon name="again" /> {link === 'connecting' ? T.link.connecting : T.link.reconnecting}
          </span>
        )}
        {link === 'open' && state !== undefined && state.status !== 'ready' && (
          <span className="link-lost" role="status">
            {state.status === 'busy' ? T.link.busy : T.link.lost}
          </span>
        )}
        {state !== undefined && link === 'open' && <Runs session={place.screen === 'live' ? place.session : undefined} />}
        <div className="tools">
          <button type="button" className="plain icon-only" aria-pressed={sound === 'on'} aria-label={sound === 'on' ? T.top.soundOn : T.top.soundOff} title={sound === 'on' ? T.top.soundOn : T.top.soundOff} onClick={toggleSound}>
            <Icon name={sound === 'on' ? 'sound' : 'muted'} />
          </button>
          <button
            type="button"
            className="plain icon-only"
            aria-label={theme === 'dark' ? T.top.toLight : T.top.toDark}
            title={theme === 'dark' ? T.top.toLight : T.top.toDark}
            onClick={() => {
              setTheme(theme === 'dark' ? 'light' : 'dark');
            }}
          >
            <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
          </button>
          <button
            type="button"
            className="plain icon-only"
            aria-label={T.top.keys}
            title={`${T.top.keys} (?)`}
            onClick={() => {
              setKeysShown(true);
            }}
          >
            <Icon name="help" />
          </button>
        </div>
      </header>
      <main className="screen">
        {place.screen === 'live' && place.session === undefined && (
          <Welcome
            doors={doors}
            busy={busy}
            problem={problem}
            onDismiss={() => {
              setProblem(undefined);
            }}
          />
        )}
        {place.screen === 'live' && place.session !== undefined && (
          <LiveScreen
            key={place.session}
            session={place.session}
            loud={sound === 'on'}
            listening={microphone?.session === place.session}
            onLoud={toggleSound}
            onStop={() => {
              if (microphone?.session === place.session) {
                microphone?.stop();
                setMicrophone(undefined);
              } else if (place.session !== undefined) {
                engine.ask({ type: 'session.end', session: place.session }).catch((thrown: unknown) => {
                  setProblem(sentenceOf(thrown));
                });
              }
            }}
            onLeave={() => {
              setLastLive(undefined);
              go('live');
            }}
            onReview={(session, exchange) => {
              go('review', session, exchange);
            }}
          />
        )}
        {place.screen === 'review' &&
          (place.session === undefined ? (
            <SessionChooser
              onChoose={(session) => {
                go('review', session);
              }}
            />
          ) : (
            <ReviewScreen
              key={place.session}
              session={place.session}
              exchange={place.exchange}
              theme={theme}
              onGo={(exchange) => {
                go('review', place.session, exchange);
              }}
            />
          ))}
        {place.screen === 'sessions' && (
          <SessionsScreen
            onReview={(session) => {
              go('review', session);
            }}
            onBoard={(session) => {
              go('live', session);
            }}
            onImport={importAll}
          />
        )}
        {place.screen === 'benchmark' && <BenchmarkScreen />}
        {place.screen === 'setup' && <SetupScreen />}
      </main>
      <footer className="bottom">
        <span>{T.purpose}</span>
        {state !== undefined && (
          <span>
            {T.setup.textGoes}: {state.text_goes}
          </span>
        )}
        {[...tasks.values()]
          .filter((task) => task.state === 'running' && task.kind !== 'folder')
          .map((task) => (
            <span key={task.task} className="number">
              {task.title}
              {task.done !== undefined && task.total !== undefined && task.total > 0 ? ` ${Math.floor((task.done / task.total) * 100)} %` : ''}
            </span>
          ))}
      </footer>
      {dragging && <div className="drop-veil">{T.live.dropHere}</div>}
      {sourcesShown && (
        <SourcesDialog
          onOpen={(source) => {
            setSourcesShown(false);
            void starting(async () => (await engine.open({ type: 'session.open', source })).session);
          }}
          onClose={() => {
            setSourcesShown(false);
          }}
        />
      )}
      {keysShown && (
        <KeysDialog
          screen={place.screen}
          onClose={() => {
            setKeysShown(false);
          }}
        />
      )}
      {(complaints.length > 0 || (problem !== undefined && !(place.screen === 'live' && place.session === undefined))) && (
        <div className="complaints">
          {problem !== undefined && (
            <Message
              onDismiss={() => {
                setProblem(undefined);
              }}
            >
              {problem}
            </Message>
          )}
          {complaints.map((complaint) => (
            <Message
              key={complaint}
              onDismiss={() => {
                engine.dismiss(complaint);
              }}
            >
              {complaint}
            </Message>
          ))}
        </div>
      )}
    </div>
  );
}

/** What runs where, and how long a flag took. */
function Runs({ session }: { readonly session: string | undefined }) {
  const { engine } = useSnapshot();
  const view = useSession(session);
  const meta = view?.state.meta;
  const latency = view?.rows.findLast((row) => row.kind === 'exchange' && row.latency !== undefined);
  if (engine === undefined) return null;
  const ms = latency?.kind === 'exchange' ? latency.latency : undefined;
  return (
    <div className="runs">
      <span>
        {T.top.recogniser} <b>{meta?.recogniser ?? engine.recogniser}</b> {T.top.on(meta?.device ?? engine.device)}
      </span>
      <span>
        {T.top.judge} <b>{meta?.judge ?? engine.judge}</b>, {meta?.profile ?? engine.profile}
      </span>
      {session !== undefined && (
        <span className="number">
          {T.top.latency} <b>{ms === undefined ? T.top.noLatency : `${(ms / 1000).toFixed(1)} s`}</b>
        </span>
      )}
    </div>
  );
}

function KeysDialog({ screen, onClose }: { readonly screen: Screen; readonly onClose: () => void }) {
  const keys = screen === 'review' ? T.review.hotkeys : T.live.hotkeys;
  return (
    <Dialog title={`${T.common.keysTitle} · ${screen === 'review' ? T.tabs.review : T.tabs.live}`} onClose={onClose}>
      <p className="quiet">{T.common.keysText}</p>
      <div className="keys-list">
        {keys.map(([key, what]) => (
          <KeyLine key={key} name={key} what={what} />
        ))}
      </div>
      <CloseRow onClose={onClose} />
    </Dialog>
  );
}

function KeyLine({ name, what }: { readonly name: string; readonly what: string }) {
  return (
    <>
      <kbd>{name}</kbd>
      <span>{what}</span>
    </>
  );
}
