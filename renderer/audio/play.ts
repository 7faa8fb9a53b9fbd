/** Plays transmissions one after the other through one element: a new one ends what was heard before. */
const element = typeof Audio === 'undefined' ? undefined : new Audio();
let round = 0;

/** @param addresses WAV files, in order. Resolves when they have been heard, or when something else is played. */
export async function playAll(addresses: readonly string[]): Promise<void> {
  const mine = ++round;
  for (const address of addresses) {
    if (element === undefined || mine !== round) return;
    element.src = address;
    await element.play().catch(() => undefined);
    await new Promise<void>((resolve) => {
      const over = (): void => {
        element.removeEventListener('ended', over);
        element.removeEventListener('pause', over);
        element.removeEventListener('error', over);
        resolve();
      };
      element.addEventListener('ended', over);
      element.addEventListener('pause', over);
      element.addEventListener('error', over);
      if (element.ended || element.error !== null) over();
    });
  }
}

let context: AudioContext | undefined;
/** One soft tone: a flag has come up. */
export function chime(): void {
  context ??= new AudioContext();
  const at = context.currentTime;
  const gain = context.createGain();
  const tone = context.createOscillator();
  tone.frequency.value = 660;
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(0.12, at + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.0005, at + 0.5);
  tone.connect(gain).connect(context.destination);
  tone.start(at);
  tone.stop(at + 0.55);
}
