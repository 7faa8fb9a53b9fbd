/** Sentences that the engine and its page say alike. Pure. */

/** Judge and language model, as far as they decide where text goes. */
export interface TextChoice {
  readonly judge: string;
  readonly provider?: string | undefined;
  readonly url?: string | undefined;
}

/** Where the text of judgements goes. */
export function textGoes({ judge, provider, url }: TextChoice): string {
  if (judge === 'rules') return 'Nowhere. Sound and text stay on this machine; readbacks are judged by rules in this program.';
  if (provider !== 'openai') return 'Nowhere. Sound and text stay on this machine; the model that judges runs in this program.';
  return `The text of instructions and readbacks goes to ${url === undefined || url === '' ? 'the language model’s server' : url}. Sound stays on this machine.`;
}
