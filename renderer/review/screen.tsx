/** The review desk: listen, compare, agree or correct, one exchange after the other, with keys for everything. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { LOOK_NAMES, lookOf, type ErrorType, type Line, type RiskLevel } from '../../engine/server/protocol-view.js';
import type { ReviewEvent } from '../../engine/server/protocol.js';
import { sentenceOf } from '../engine/api.js';
import type { ExchangeRow, LoggedReview, SessionView } from '../engine/session-view.js';
import { Differences, Reasons } from '../parts/exchange.js';
import { useEngine, useKept, useKeys, useSession } from '../parts/hooks.js';
import { Icon } from '../parts/icons.js';
import { Message } from '../parts/message.js';
import { Badge, kindText, shortClock } from '../parts/result.js';
import { T } from '../texts.js';
import { AgreementDialog, ExportDialog, LevelDialog, RerunDialog, ReviewerDialog, TypeDialog } from './dialogs.js';
import { HalfDesk, type Draft } from './half.js';
import { answerBy, decisionOf, filtered, lookFor, NO_FILTERS, type Filters } from './queue.js';
import { Queue } from './queue-list.js';
import { Sound, type SoundControl, type Stretch } from './sound.js';

export interface ReviewProps {
  readonly session: string;
  readonly exchange: string | undefined;
  readonly theme: string;
  readonly onGo: (exchange: string) => void;
}

export function ReviewScreen(props: ReviewProps) {
  const view = useSession(props.session);
  if (view?.problem !== undefined) {
    return (
      <div className="empty">
        <Message>{sentenceOf(view.problem)}</Message>
      </div>
    );
  }
  if (view === undefined || !view.loaded) return <div className="empty">{T.common.loading}</div>;
  return <Desk key={view.id} {...props} view={view} />;
}

type Open = 'type' | 'level' | 'rerun' | 'export' | 'agreement' | 'reviewer' | undefined;
interface Choosing {
  readonly instruction: ReadonlySet<number>;
  readonly readback: ReadonlySet<number>;
  readonly half: 'instruction' | 'readback';
  readonly at: number;
}

function Desk({ view, exchange, theme, onGo }: ReviewProps & { readonly view: SessionView }) {
  const engine = useEngine();
  const [reviewer, setReviewer] = useKept('reviewer', '');
  const [filters, setFilters] = useState<Filters>(exchange === undefined ? NO_FILTERS : { ...NO_FILTERS, which: 'all' });
  const [open, setOpen] = useState<Open>(reviewer === '' ? 'reviewer' : undefined);
  const [said, setSaid] = useState('');
  const [problem, setProblem] = useState<string>();
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map());
  const [note, setNote] = useState<string>();
  const [choosing, setChoosing] = useState<Choosing>();
  const [playing, setPlaying] = useState(false);
  const [time, setTime] = useState(0);
  const sound = useRef<SoundControl>(null);
  const desk = useRef<HTMLDivElement>(null);
  const noteField = useRef<HTMLTextAreaElement>(null);

  const { rows } = view;
  const queue = useMemo(() => filtered(rows, view, reviewer, filters), [rows, view, reviewer, filters]);
  const at = queue.findIndex((row) => row.id === exchange);
  // the exchange that is looked at stays, whatever the filters say
  const row = rows.find((each): each is ExchangeRow => each.kind === 'exchange' && each.id === exchange) ?? queue[0];
  const id = row?.id;
  const channels = view.state.meta?.channels ?? [];

  const focusDesk = (): void => {
    desk.current?.focus();
  };
  const go = (by: number): void => {
    const next = queue[at < 0 ? 0 : Math.max(0, Math.min(queue.length - 1, at + by))];
    if (next !== undefined) onGo(next.id);
  };
  useEffect(() => {
    setChoosing(undefined);
    setNote(undefined);
  }, [id]);
  useEffect(() => {
    if (open === undefined && document.activeElement === document.body) focusDesk();
  }, [id, open]);

  // one after the other: what is taken back is what stood last once everything before has been written
  const writing = useRef<Promise<unknown>>(Promise.resolve());
  const inTurn = <A,>(work: () => Promise<A>): Promise<A> => {
    const turn = writing.current.then(work);
    writing.current = turn.catch(() => undefined);
    return turn;
  };
  const tell = (event: ReviewEvent, done = ''): Promise<boolean> => inTurn(() => write(event, done));
  const write = async (event: ReviewEvent, done: string): Promise<boolean> => {
    if (event.reviewer === '') {
      setOpen('reviewer');
      return false;
    }
    setProblem(undefined);
    try {
      await engine.ask({ type: 'review', session: view.id, event });
      setSaid(done);
      return true;
    } catch (thrown) {
      setProblem(sentenceOf(thrown));
      return false;
    }
  };
  const state = id === undefined ? undefined : view.state.exchanges.get(id);
  const decision = decisionOf(state, reviewer);
  const machine = row?.exchange.judged.machine;

  const decide = async (change: { decision: 'agree' } | { decision: 'overrule'; error_type: ErrorType }, onward: boolean): Promise<void> => {
    if (id === undefined) return;
    const next = queue[at + 1];
    const words = decision?.words;
    if (await tell({ type: 'review.decided', exchange: id, reviewer, ...change, ...(words === undefined ? {} : { words }) }, T.review.decided)) {
      setOpen(undefined);
      if (onward && next !== undefined) onGo(next.id);
    }
  };
  const agree = (): void => {
    if (machine?.verdict === null) {
      // nothing was said that one could agree with
      setOpen('type');
      return;
    }
    void decide({ decision: 'agree' }, true);
  };
  const asType = (type: ErrorType): void => {
    void decide(machine?.verdict !== 'uncertain' && type === machine?.errorType ? { decision: 'agree' } : { decision: 'overrule', error_type: type }, true);
  };
  const asLevel = (level: RiskLevel | undefined): void => {
    const type = (decision?.error_type ?? machine?.errorType) as ErrorType | null | undefined;
    if (id === undefined || type === null || type === undefined) return;
    void tell({ type: 'review.decided', exchange: id, reviewer, decision: 'overrule', error_type: type, ...(level === undefined ? {} : { risk_level: level }), ...(decision?.words === undefined ? {} : { words: decision.words }) }, T.review.decided);
    setOpen(undefined);
  };
  const takenBack = useRef(new WeakSet<LoggedReview>());
  const undo = (): Promise<void> => inTurn(takeBack);
  const takeBack = async (): Promise<void> => {
    // the event that takes it back may come in behind the answer: pressed twice, the key must not take back one thing twice
    const last = view.reviews.findLast((each) => each.event.reviewer === reviewer && !takenBack.current.has(each));
    if (last === undefined) {
      setSaid(T.review.nothingToUndo);
      return;
    }
    if (await write({ type: 'review.undone', undoes: last.seq, reviewer }, T.review.undone(T.review.undoNames[last.event.type] ?? ''))) {
      takenBack.current.add(last);
      if ('exchange' in last.event && last.event.exchange !== undefined) onGo(last.event.exchange);
    }
  };

  const halves = useMemo(() => ({ instruction: row?.exchange.instruction ?? [], readback: row?.exchange.readback ?? [] }), [row]);
  const stretches = useMemo(
    () => (['instruction', 'readback'] as const).flatMap((kind) => halves[kind].flatMap((line): Stretch[] => (line.start === undefined || line.end === undefined || line.audio === undefined ? [] : [{ kind, start: line.start, end: line.end }]))),
    [halves],
  );
  const play = (kinds: readonly Stretch['kind'][]): void => {
    const wanted = stretches.filter((each) => kinds.includes(each.kind));
    if (wanted.length > 0) sound.current?.play(Math.min(...wanted.map((each) => each.start)), Math.max(...wanted.map((each) => each.end)));
  };

  const countWords = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + line.words.length, 0);
  const choose = (): void => {
    const words = decision?.words ?? { instruction: marked(halves.instruction), readback: marked(halves.readback) };
    setChoosing({ instruction: new Set(words.instruction), readback: new Set(words.readback), half: 'instruction', at: words.instruction[0] ?? 0 });
    focusDesk();
  };
  const take = (half: Choosing['half'], position: number): void => {
    setChoosing((before) => {
      if (before === undefined) return before;
      const changed = new Set(before[half]);
      if (!changed.delete(position)) changed.add(position);
      return { ...before, [half]: changed, half, at: position };
    });
  };
  const walk = (by: number): void => {
    setChoosing((before) => {
      if (before === undefined) return before;
      const sizes = { instruction: countWords(halves.instruction), readback: countWords(halves.readback) };
      const next = before.at + by;
      if (next < 0) return before.half === 'readback' && sizes.instruction > 0 ? { ...before, half: 'instruction', at: sizes.instruction - 1 } : before;
      if (next >= sizes[before.half]) return before.half === 'instruction' && sizes.readback > 0 ? { ...before, half: 'readback', at: 0 } : before;
      return { ...before, at: next };
    });
  };
  const keepWords = async (): Promise<void> => {
    if (choosing === undefined || id === undefined) return;
    const sorted = (set: ReadonlySet<number>): number[] => [...set].sort((a, b) => a - b);
    const words = { instruction: sorted(choosing.instruction), readback: sorted(choosing.readback) };
    const before = decision === undefined ? ({ decision: 'agree' } as const) : { decision: decision.decision, ...(decision.error_type === undefined ? {} : { error_type: decision.error_type }), ...(decision.risk_level === undefined ? {} : { risk_level: decision.risk_level }) };
    if (await tell({ type: 'review.decided', exchange: id, reviewer, ...before, words }, T.review.wordsKept)) setChoosing(undefined);
  };

  const edit = (half: Choosing['half']): void => {
    const line = halves[half].at(-1);
    if (line === undefined) return;
    flushSync(() => {
      setDraft(line.id, drafts.get(line.id) ?? { text: line.text ?? '', role: line.role ?? 'unknown' });
    });
    // a draft that was left is taken up again
    desk.current?.querySelector<HTMLTextAreaElement>(`[data-half="${half}"] textarea`)?.focus();
  };
  const setDraft = (transmission: string, draft: Draft | undefined): void => {
    setDrafts((before) => {
      const next = new Map(before);
      if (draft === undefined) next.delete(transmission);
      else next.set(transmission, draft);
      return next;
    });
  };
  const saveDraft = async (line: Line): Promise<void> => {
    const draft = drafts.get(line.id);
    if (draft === undefined) return;
    const text = draft.text.replaceAll(/\s+/g, ' ').trim();
    if (text !== (line.text ?? '') && !(await tell({ type: 'review.text-edited', transmission: line.id, reviewer, text }, T.review.textSaved))) return;
    if (draft.role !== (line.role ?? 'unknown') && !(await tell({ type: 'review.speaker-edited', transmission: line.id, reviewer, role: draft.role as 'controller' | 'pilot' | 'unknown' }, T.review.textSaved))) return;
    setDraft(line.id, undefined);
    focusDesk();
  };
  const saveNote = async (): Promise<void> => {
    if (id === undefined || note === undefined) return;
    if (note.trim() === '' || (await tell({ type: 'review.noted', exchange: id, reviewer, text: note.trim() }, T.review.noteSaved))) {
      setNote(undefined);
      focusDesk();
    }
  };
  const rerun = async (transmission: string, model: string): Promise<void> => {
    setOpen(undefined);
    setSaid(T.review.rerunRunning(model));
    try {
      await engine.ask({ type: 'transmission.rerun', session: view.id, transmission, model });
      setSaid(T.review.rerunDone(model));
    } catch (thrown) {
      setSaid('');
      setProblem(sentenceOf(thrown));
    }
  };
  const rejudge = async (): Promise<void> => {
    if (id === undefined) return;
    try {
      await engine.ask({ type: 'exchange.rejudge', session: view.id, exchange: id });
      setSaid(T.review.rejudged);
    } catch (thrown) {
      setProblem(sentenceOf(thrown));
    }
  };

  const openNote = (): void => {
    // at once: what is typed next belongs into the field and must not be taken for commands
    flushSync(() => {
      setNote((before) => before ?? '');
    });
    noteField.current?.focus();
  };
  useKeys(
    choosing === undefined
      ? {
          j: () => {
            go(1);
          },
          k: () => {
            go(-1);
          },
          ArrowDown: () => {
            go(1);
          },
          ArrowUp: () => {
            go(-1);
          },
          ' ': () => {
            if (playing || time > 0) sound.current?.toggle();
            else play(['instruction', 'readback']);
          },
          '1': () => {
            play(['instruction']);
          },
          '2': () => {
            play(['readback']);
          },
          ArrowLeft: () => {
            sound.current?.skip(-0.5);
          },
          ArrowRight: () => {
            sound.current?.skip(0.5);
          },
          a: agree,
          t: () => {
            setOpen('type');
          },
          l: () => {
            setOpen('level');
          },
          w: choose,
          n: openNote,
          i: () => {
            edit('instruction');
          },
          b: () => {
            edit('readback');
          },
          g: () => {
            setOpen('rerun');
          },
          e: () => {
            setOpen('export');
          },
          u: () => void undo(),
          'ctrl+z': () => void undo(),
        }
      : {
          ArrowLeft: () => {
            walk(-1);
          },
          ArrowRight: () => {
            walk(1);
          },
          x: () => {
            take(choosing.half, choosing.at);
          },
          Enter: () => void keepWords(),
          Escape: () => {
            setChoosing(undefined);
          },
          ' ': () => {
            sound.current?.toggle();
          },
        },
  );
  const onPlaying = useCallback((now: boolean) => {
    setPlaying(now);
  }, []);
  const onTime = useCallback((seconds: number) => {
    setTime(seconds);
  }, []);

  const modelOf = (line: Line): string | undefined => view.state.transmissions.get(line.id)?.recognition?.model;
  const mine = state === undefined ? undefined : answerBy(state, reviewer);
  const others = decision === undefined ? [] : [...new Set(state?.reviews.map((each) => each.reviewer) ?? [])].filter((name) => name !== reviewer);
  // another's note may give the answer away
  const notes = (state?.notes ?? []).filter((each) => each.reviewer === reviewer || decision !== undefined);
  const othersWait = decision === undefined && [...(state?.reviews ?? []), ...(state?.notes ?? [])].some((each) => each.reviewer !== reviewer);
  const close = (): void => {
    setOpen(undefined);
    focusDesk();
  };

  return (
    <div className="review">
      <h1 className="visually-hidden">{T.review.title}</h1>
      <Queue view={view} rows={queue} selected={id} reviewer={reviewer} filters={filters} channels={channels} onFilters={setFilters} onSelect={onGo}>
        <button type="button" className="plain" title={T.review.reviewer} onClick={() => { setOpen('reviewer'); }}>
          <Icon name="edit" /> <span className="cut">{reviewer === '' ? T.review.reviewer : reviewer}</span>
        </button>
        <button type="button" className="plain" onClick={() => { setOpen('agreement'); }}>
          {T.review.agreement}
        </button>
        <button type="button" className="push icon-only" aria-label={T.review.export} title={`${T.review.export} (E)`} onClick={() => { setOpen('export'); }}>
          <Icon name="export" />
        </button>
      </Queue>
      {row === undefined || id === undefined ? (
        <div className="empty" ref={desk} tabIndex={-1}>
          <p>{rows.some((each) => each.kind === 'exchange') ? (filters.which === 'flagged' ? T.review.nothingFlagged : T.review.nothing) : T.review.noExchanges}</p>
        </div>
      ) : (
        <div className="desk" ref={desk} tabIndex={-1}>
          <header className="desk-head">
            <h2>{row.exchange.callsign ?? T.results.callsignUnknown}</h2>
            <span className="quiet number">{shortClock(row.exchange.start)}</span>
            {channels.length > 1 && <span className="quiet number">{row.exchange.channel}</span>}
            <Badge look={lookFor(row, row.exchange.judged.machine)} answer={machine} />
            <span className="quiet">{machine === undefined ? '' : kindText(machine)}</span>
            {mine !== undefined && (
              <span className="mine">
                <Icon name="check" /> {decision?.decision === 'agree' ? T.review.agreed : T.review.changedTo}
                {decision?.decision === 'overrule' && <Badge look={lookOf(mine)} answer={mine} small />}
                {decision?.decision === 'overrule' && <span className="quiet">{kindText(mine)}</span>}
              </span>
            )}
            <span className="push quiet number">{at < 0 ? '' : T.review.position(at + 1, queue.length)}</span>
            <button type="button" className="icon-only" aria-label={T.review.previous} title={`${T.review.previous} (K)`} disabled={at <= 0} onClick={() => { go(-1); }}>
              <Icon name="previous" />
            </button>
            <button type="button" className="icon-only" aria-label={T.review.next} title={`${T.review.next} (J)`} disabled={at >= queue.length - 1} onClick={() => { go(1); }}>
              <Icon name="next" />
            </button>
          </header>
          {stretches.length === 0 ? <p className="quiet sound-none">{T.review.noAudio}</p> : <Sound session={view.id} channel={row.exchange.channel} stretches={stretches} theme={theme} control={sound} onPlaying={onPlaying} onTime={onTime} />}
          <div className="row player">
            <button type="button" onClick={() => { if (playing) sound.current?.pause(); else play(['instruction', 'readback']); }}>
              <Icon name={playing ? 'pause' : 'play'} /> {playing ? T.review.pause : T.review.playAll} <kbd>Space</kbd>
            </button>
            <button type="button" onClick={() => { play(['instruction']); }}>
              {T.review.playInstruction} <kbd>1</kbd>
            </button>
            <button type="button" disabled={halves.readback.length === 0} onClick={() => { play(['readback']); }}>
              {T.review.playReadback} <kbd>2</kbd>
            </button>
            <span className="quiet number">{shortClock(time)}</span>
            <span className="push" />
            <button type="button" className="plain" onClick={() => { setOpen('rerun'); }}>
              <Icon name="again" /> {T.review.rerunTitle} <kbd>G</kbd>
            </button>
          </div>
          {choosing !== undefined && (
            <div className="message info words-help">
              <span>{T.review.wordsOn}</span>
              <button type="button" onClick={() => void keepWords()}>
                {T.review.wordsKeep} <kbd>Enter</kbd>
              </button>
            </div>
          )}
          <div className="desk-body">
            <div className="desk-halves">
              {(['instruction', 'readback'] as const).map((half) => {
                let from = 0;
                return (
                  <div key={half} data-half={half}>
                    {halves[half].map((line) => {
                      const first = from;
                      from += line.words.length;
                      return (
                        <HalfDesk
                          key={line.id}
                          title={half === 'instruction' ? T.results.instructionLong : T.results.readbackLong}
                          hotkey={half === 'instruction' ? 'I' : 'B'}
                          line={line}
                          transmission={view.state.transmissions.get(line.id)}
                          from={first}
                          chosen={choosing?.[half]}
                          cursor={choosing?.half === half ? choosing.at : undefined}
                          draft={drafts.get(line.id)}
                          onHear={(start, end) => sound.current?.play(start, end)}
                          onTake={(position) => {
                            take(half, position);
                          }}
                          onDraft={(draft) => {
                            setDraft(line.id, draft);
                          }}
                          onSave={() => void saveDraft(line)}
                          onLeave={focusDesk}
                        />
                      );
                    })}
                    {halves[half].length === 0 && <p className="words none">{T.results.none}</p>}
                  </div>
                );
              })}
              {row.exchange.editedSince !== false && (
                <p className="row">
                  <span className="quiet">
                    {T.results.editedSince[row.exchange.editedSince]} {T.review.rejudgeText}
                  </span>
                  <button type="button" onClick={() => void rejudge()}>
                    {T.review.rejudge}
                  </button>
                </p>
              )}
            </div>
            <div className="desk-why">
              <Differences comparisons={row.exchange.judged.finding?.finding.evidence.comparisons ?? []} />
              <Reasons exchange={{ ...row.exchange, editedSince: false }} />
              {others.length > 0 && (
                <section className="why">
                  <h3>{T.review.others}</h3>
                  {others.map((name) => {
                    const answer = state === undefined ? undefined : answerBy(state, name);
                    return (
                      <p key={name} className="row">
                        {name}: {answer === undefined ? T.review.undecided : LOOK_NAMES[lookOf(answer)]} <span className="quiet">{answer === undefined ? '' : kindText(answer)}</span>
                      </p>
                    );
                  })}
                </section>
              )}
              {othersWait && <p className="why small quiet">{T.review.othersWait}</p>}
              {notes.length > 0 && (
                <section className="why">
                  <h3>{T.review.notes}</h3>
                  {notes.map((each) => (
                    <p key={each.seq}>
                      <b>{each.reviewer}:</b> {each.text}
                    </p>
                  ))}
                </section>
              )}
              {note !== undefined && (
                <form
                  className="stack why"
                  onSubmit={(event) => {
                    event.preventDefault();
                    void saveNote();
                  }}
                >
                  <textarea
                    ref={noteField}
                    rows={2}
                    aria-label={T.review.note}
                    placeholder={T.review.notePlaceholder}
                    value={note}
                    onChange={({ target }) => {
                      setNote(target.value);
                    }}
                    onKeyDown={(event) => {
                      if (event.nativeEvent.isComposing) return;
                      if (event.key === 'Enter' && !event.shiftKey) {
                        event.preventDefault();
                        void saveNote();
                      } else if (event.key === 'Escape') {
                        event.preventDefault();
                        focusDesk();
                      }
                    }}
                  />
                  <div className="row">
                    <button type="submit" className="primary">
                      {T.review.save} <kbd>Enter</kbd>
                    </button>
                    <button
                      type="button"
                      onClick={() => {
                        setNote(undefined);
                        focusDesk();
                      }}
                    >
                      {T.review.cancel}
                    </button>
                  </div>
                </form>
              )}
            </div>
          </div>
          {problem !== undefined && (
            <Message
              onDismiss={() => {
                setProblem(undefined);
              }}
            >
              {problem}
            </Message>
          )}
          <footer className="desk-foot">
            <button type="button" className="primary" onClick={agree}>
              {T.review.agree} <kbd>A</kbd>
            </button>
            <button type="button" onClick={() => { setOpen('type'); }}>
              {T.review.change} <kbd>T</kbd>
            </button>
            <button type="button" disabled={machine?.errorType === null && decision?.error_type === undefined} onClick={() => { setOpen('level'); }}>
              {T.review.level} <kbd>L</kbd>
            </button>
            <button type="button" aria-pressed={choosing !== undefined} onClick={() => { if (choosing === undefined) choose(); else setChoosing(undefined); }}>
              {T.review.words} <kbd>W</kbd>
            </button>
            <button type="button" onClick={openNote}>
              {T.review.note} <kbd>N</kbd>
            </button>
            <button type="button" onClick={() => void undo()}>
              <Icon name="undo" /> {T.review.undo} <kbd>U</kbd>
            </button>
            <span className="quiet said-now" role="status">
              {said}
            </span>
          </footer>
        </div>
      )}
      {open === 'type' && <TypeDialog now={decision?.error_type ?? machine?.errorType ?? null} onPick={asType} onClose={close} />}
      {open === 'level' && <LevelDialog onPick={asLevel} onClose={close} />}
      {open === 'rerun' && <RerunDialog halves={[...halves.instruction.map((line) => ({ id: line.id, title: T.results.instructionLong, text: line.text ?? '', model: modelOf(line) })), ...halves.readback.map((line) => ({ id: line.id, title: T.results.readbackLong, text: line.text ?? '', model: modelOf(line) }))]} onRun={(transmission, model) => void rerun(transmission, model)} onClose={close} />}
      {open === 'export' && <ExportDialog session={view.id} onClose={close} />}
      {open === 'agreement' && (
        <AgreementDialog
          view={view}
          onGo={(to) => {
            setOpen(undefined);
            setFilters({ ...NO_FILTERS, which: 'all' });
            onGo(to);
          }}
          onClose={close}
        />
      )}
      {open === 'reviewer' && (
        <ReviewerDialog
          first={reviewer}
          onSave={(name) => {
            setReviewer(name);
            close();
          }}
          onClose={close}
        />
      )}
    </div>
  );
}

/** Positions of the words that the machine takes as decisive. */
function marked(lines: readonly Line[]): number[] {
  return lines.flatMap((line) => line.words).flatMap((word, at) => (word.mark !== undefined && word.mark !== 'right' && word.mark !== 'not-required' ? [at] : []));
}
