/** What is said on the radio, to canonical values and back. Pure. */
export * from './callsigns.js';
export * from './lexicon.js';
export * from './numbers.js';
export * from './speak.js';
export * from './telephony.js';
export * from './tokens.js';
export * as values from './values.js';
