/**
 * Tokens back to text. Whisper's tokens are byte strings (byte-level BPE): a character may be spread over several of them,
 * and a word starts where the bytes have a blank.
 */
const BLANK = 0x20;

/** A word and the tokens [from, to) that it came from. */
export interface TokenWord {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Splits the bytes of `tokens` at blanks. A token that holds the end of one word and the start of the next counts for both.
 * Incomplete characters become U+FFFD; special tokens (null in the vocabulary) are nothing.
 */
export function wordsOfTokens(tokens: readonly number[], vocabulary: readonly (Uint8Array | null)[]): TokenWord[] {
  const words: TokenWord[] = [];
  const decoder = new TextDecoder('utf-8');
  let bytes: number[] = [];
  let from = 0;
  let to = 0;
  const finish = (): void => {
    if (bytes.length > 0) words.push({ text: decoder.decode(Uint8Array.from(bytes)), from, to });
    bytes = [];
  };
  tokens.forEach((token, at) => {
    for (const byte of vocabulary[token] ?? []) {
      if (byte === BLANK) {
        finish();
        continue;
      }
      if (bytes.length === 0) from = at;
      bytes.push(byte);
      to = at + 1;
    }
  });
  finish();
  return words;
}

const EDGES = /^[^\p{L}\p{N}\uFFFD]+|[^\p{L}\p{N}\uFFFD]+$/gu;

/** Lower case, without punctuation at its edges ("Descend," → "descend", "118.1" stays); empty when nothing is left. */
export function plainWord(text: string): string {
  return text.toLowerCase().replace(EDGES, '');
}
