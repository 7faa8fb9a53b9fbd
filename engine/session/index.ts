/**
 * The session room: the durable log, the audio store, the state folded from events, and everything that comes out of it.
 * See README.md beside this file.
 */
export { createSession, openSession, type Identity, type NewSession, type Session, type SessionOptions } from './session.js';
export { capturedUntil, emptyState, foldEvents, inOrder, isReview, notUnderstood, pendingTransmissions, reduce, stageOf, type ExchangeState, type SessionState, type Stage, type TransmissionState } from './state.js';
export { countsOf, judged, machineTextOf, secondsOf, textOf, type Answer, type Counts, type Judged } from './answer.js';
export { deleteSession, listSessions, summariseSession, type BrokenSession, type Deletion, type SessionSummary } from './list.js';
export { channelAudio, ChannelRecorder, type ChannelAudio } from './recording.js';
export { EXPORT_FORMATS, exportName, exportSession, fileNamePart, type Exported, type ExportFormat, type ExportOptions } from './export.js';
export { audioNotices, resumeState, showsAlready } from './resume.js';
export { encodeWav, type AudioCheck } from './audio-store.js';
