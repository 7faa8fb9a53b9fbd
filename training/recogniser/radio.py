"""What a voice goes through on its way to a recording of VHF radio, drawn anew for every sample that is trained on.

Covers what was measured or is known of transmitters, receivers, recorders and web feeds: microphone and cabin noise, speech compressor and
limiter, passband and colour, fading, receiver noise at a measured ratio to the speech, heterodyne and hum, squelch bursts and key clicks,
gain control that brings the noise up in pauses, overdrive, 8 kHz, low-rate codecs, drop-outs, weak levels, words on top of each other.
Everything at 16 kHz, mono, float. Not the channel of the fixtures (training/fixtures/channel.py) nor of the benchmark
(engine/audio/radio-channel.ts): what is trained on one simulation must hold on another.
"""
from __future__ import annotations

import io
import warnings

import numpy as np
import soundfile
from scipy.fft import irfft, next_fast_len, rfft, rfftfreq
from scipy.signal import butter, resample_poly, sosfilt

RATE = 16_000

# Spectra of receiver noise, dB at Hz: a web feed with gain control, a receiver's loudspeaker, a wide direct receiver, white.
HERTZ = np.array([0, 100, 300, 1000, 1500, 2500, 3500, 4000, 5000, 8000], float)
COLOURS = np.array([
    [-3, -10, -5, -6, -11, -16, -22, -30, -55, -65],
    [-20, -14, -3, 0, -1, -4, -12, -30, -50, -65],
    [-6, -6, -2, 0, 0, -2, -4, -6, -10, -14],
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
], float)
CABIN_HERTZ = np.array([0, 80, 200, 400, 1000, 3000, 8000], float)
CABIN = np.array([-20, 0, -2, -8, -16, -28, -45], float)


def rms(x: np.ndarray) -> float:
    return float(np.sqrt((x.astype(np.float64) ** 2).mean() + 1e-12))


def shaped(count: int, rng: np.random.Generator, hertz: np.ndarray, decibel: np.ndarray) -> np.ndarray:
    """Gaussian noise of RMS 1 whose spectrum goes through the points (Hz, dB)."""
    size = next_fast_len(count, real=True)
    out = equalised(rng.standard_normal(size).astype(np.float32), hertz, decibel)[:count]
    return out / rms(out)


def equalised(x: np.ndarray, hertz: np.ndarray, decibel: np.ndarray) -> np.ndarray:
    size = next_fast_len(len(x), real=True)
    gain = 10 ** (np.interp(rfftfreq(size, 1 / RATE), hertz, decibel) / 20)
    return irfft(rfft(x, size) * gain, size)[: len(x)]


def receiver_noise(count: int, rng: np.random.Generator) -> np.ndarray:
    colour = COLOURS[rng.choice(len(COLOURS), p=[0.45, 0.3, 0.15, 0.1])] + rng.normal(0, 2.5, len(HERTZ))
    out = shaped(count, rng, HERTZ, colour)
    if rng.random() < 0.2:  # noise that breathes
        out = out * (1 + rng.uniform(0, 0.7) * np.sin(2 * np.pi * rng.uniform(0.1, 8) * np.arange(count) / RATE + rng.uniform(0, 6)))
    if rng.random() < 0.12:  # crackle: ignition, static
        for at in rng.integers(0, max(1, count - 200), rng.integers(1, 40)):
            out[at : at + 200] += rng.uniform(2, 12) * rng.choice([-1, 1]) * np.exp(-np.arange(len(out[at : at + 200])) / rng.uniform(3, 40))
    return out


def cabin_noise(count: int, rng: np.random.Generator) -> np.ndarray:
    """Air and engines; now and then a propeller with its harmonics or a warning tone."""
    out = shaped(count, rng, CABIN_HERTZ, CABIN + rng.normal(0, 3, len(CABIN)))
    t = np.arange(count) / RATE
    if rng.random() < 0.4:
        base = rng.uniform(60, 130)
        out = out + sum(rng.uniform(0, 0.8) / k * np.sin(2 * np.pi * base * k * t + rng.uniform(0, 6)) for k in range(1, 9))
    return out / rms(out)


def faster_or_deeper(x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Another tempo and another vocal tract at once: resampled by up to an eighth."""
    down = int(rng.integers(88, 115))
    return resample_poly(x, 100, down) if down != 100 else x


def another_tract(x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Formants moved by up to a sixth, more or less of it at either end of the band, while pitch and tempo stay: another head on the same
    voice. The spectral envelope (first 40 cepstral coefficients) of each frame is stretched, its fine structure is kept."""
    window, hop = 512, 128
    frames = 1 + (len(x) + window) // hop
    padded = np.pad(x, (window // 2, frames * hop + window - len(x)))
    shape = np.hanning(window + 1)[:-1]
    spectrum = np.fft.rfft(np.lib.stride_tricks.sliding_window_view(padded, window)[::hop][:frames] * shape)
    cepstrum = np.fft.irfft(np.log(np.abs(spectrum) + 1e-6))
    cepstrum[:, 40:-39] = 0
    outline = np.fft.rfft(cepstrum).real
    at = np.arange(window // 2 + 1)
    # a factor that changes slowly along the frequency axis
    stretch = np.interp(at, [0, window // 4, window // 2], rng.uniform(0.86, 1.17) + rng.normal(0, 0.03, 3))
    source = np.clip(at / stretch, 0, window // 2)
    below = np.minimum(source.astype(int), window // 2 - 1)
    moved = outline[:, below] + (outline[:, below + 1] - outline[:, below]) * (source - below)
    out = np.zeros(frames * hop + window)
    for i, frame in enumerate(np.fft.irfft(spectrum * np.exp(np.clip(moved - outline, -3, 3))) * shape):
        out[i * hop : i * hop + window] += frame
    return out[window // 2 : window // 2 + len(x)] / 1.5


def envelope(x: np.ndarray, release: float, hop: int = 80) -> np.ndarray:
    """Level per `hop` samples: immediate attack, then exponential release (share of the way per hop)."""
    frames = -(-len(x) // hop)
    level = np.sqrt((np.pad(x, (0, frames * hop - len(x))).reshape(frames, hop) ** 2).mean(1) + 1e-10)
    out, current = np.empty(frames), level[0]
    for i, value in enumerate(level):
        current = value if value > current else current + (value - current) * release
        out[i] = current
    return out


def gain_control(x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Brings pauses up and loud parts down, with overshoot where speech sets in."""
    hop = 80
    follower = envelope(x, rng.uniform(0.003, 0.05), hop)
    delay = int(rng.integers(0, 8))  # the attack comes late by so many hops
    follower = np.concatenate([np.full(delay, follower[0]), follower[: len(follower) - delay]]) if delay < len(follower) else follower
    gain = (1 / np.maximum(follower, rng.uniform(0.01, 0.1) * follower.max())) ** rng.uniform(0.3, 1.0)
    return x * np.interp(np.arange(len(x)), np.arange(len(gain)) * hop, gain)


def through_codec(x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """One lossy codec, at the rates that scanners and archives use."""
    kind = rng.choice(["mp3", "mp3-8k", "opus", "vorbis", "gsm", "ulaw", "eight-bit"], p=[0.2, 0.3, 0.15, 0.05, 0.15, 0.05, 0.1])
    peak = np.abs(x).max() + 1e-9
    y = x / peak * 0.8
    if kind == "eight-bit":
        steps = rng.choice([31, 63, 127])
        return np.round(y * steps) / steps * peak
    if kind == "ulaw":
        return np.sign(y) * ((1 + 255) ** (np.round(np.log1p(255 * np.abs(y)) / np.log(256) * 127) / 127) - 1) / 255 * peak
    rate = 8000 if kind in ("mp3-8k", "gsm") else RATE
    if rate != RATE:
        y = resample_poly(y, 1, 2)
    form, subtype = {"mp3": ("MP3", "MPEG_LAYER_III"), "mp3-8k": ("MP3", "MPEG_LAYER_III"), "opus": ("OGG", "OPUS"), "vorbis": ("OGG", "VORBIS"), "gsm": ("WAV", "GSM610")}[kind]
    file = io.BytesIO()
    more = {} if kind == "gsm" else {"compression_level": float(rng.uniform(0.75, 0.99))}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        soundfile.write(file, y.astype(np.float32), rate, format=form, subtype=subtype, **more)
    file.seek(0)
    back, _ = soundfile.read(file, dtype="float32")
    # MP3 puts a fixed delay in front
    lag = 1105 if form == "MP3" else 0
    back = back[lag : lag + len(y)]
    back = np.pad(back, (0, max(0, len(y) - len(back))))
    if rate != RATE:
        back = resample_poly(back, 2, 1)[: len(x)]
        back = np.pad(back, (0, max(0, len(x) - len(back))))
    return back * peak


def transmit(dry: np.ndarray, rng: np.random.Generator, other: np.ndarray | None = None, hard: float = 1.0) -> np.ndarray:
    """One transmission as it may be found in a recording, with some noise around it.

    `dry`: speech (or anything else) at 16 kHz. `other`: somebody who speaks at the same time. `hard` 0…1: share of the way from easy to
    what is met at worst (a curriculum raises it).
    """
    return transmit_both(dry, rng, other, hard)[0]


def transmit_both(dry: np.ndarray, rng: np.random.Generator, other: np.ndarray | None = None, hard: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """`transmit`, and beside it the same speaker without any channel, sample for sample at the same time: what a teacher may hear."""
    dry = dry.astype(np.float64)
    if rng.random() < 0.5:
        dry = faster_or_deeper(dry, rng)
    if rng.random() < 0.4:
        dry = another_tract(dry, rng)
    if rng.random() < 0.15:  # keyed late
        dry = dry[int(rng.uniform(0, 0.12) * RATE) :]
    dry = dry / rms(dry)
    alone = dry.copy()
    if other is not None:
        other = other.astype(np.float64) / rms(other) * 10 ** (-rng.uniform(6, 18) / 20)
        at = int(rng.integers(0, len(dry)))
        part = other[: len(dry) - at]
        dry[at : at + len(part)] += part
    before = int(RATE * (rng.uniform(0, 0.35) if rng.random() < 0.7 else rng.uniform(0, 1.2)))
    after = int(RATE * (rng.uniform(0, 0.35) if rng.random() < 0.7 else rng.uniform(0, 1.5)))
    talk = np.concatenate([np.zeros(before), dry, np.zeros(after)])
    alone = np.concatenate([np.zeros(before), alone, np.zeros(after)])
    count = len(talk)
    speech = slice(before, count - after)
    # transmitter
    if rng.random() < 0.4:
        talk = talk + cabin_noise(count, rng) * 10 ** (-rng.uniform(18 - 12 * hard, 30) / 20)
    if rng.random() < 0.4:
        gain = (1 / np.maximum(envelope(talk, rng.uniform(0.01, 0.06)), 0.1)) ** rng.uniform(0.2, 0.7)
        talk = talk * np.interp(np.arange(count), np.arange(len(gain)) * 80, gain)
    if rng.random() < 0.6:
        drive = rng.uniform(0.3, 0.3 + 2.5 * hard)
        talk = np.tanh(talk * drive) / drive
    low, high = rng.uniform(120, 450), rng.uniform(2300, 3800)
    talk = sosfilt(butter(int(rng.choice([1, 2, 3, 4])), [low, high], "band", fs=RATE, output="sos"), talk)
    if rng.random() < 0.7:  # microphones, set and receiver colour the voice
        tilt = rng.uniform(-9, 3) * np.maximum(0, np.log2(np.maximum(HERTZ, 500) / 500)) / 2
        talk = equalised(talk, HERTZ, tilt + rng.normal(0, 3, len(HERTZ)))
    talk = talk / rms(talk[speech])
    # path
    t = np.arange(count) / RATE
    if rng.random() < 0.3:
        talk = talk * 10 ** (rng.uniform(0, 4) / 20 * np.sin(2 * np.pi * rng.uniform(0.2, 7) * t + rng.uniform(0, 6)))
    draw = rng.random()
    ratio = rng.uniform(-2, 16) if draw < 0.55 * hard else rng.uniform(8, 25) if draw < 0.85 else rng.uniform(25, 50)
    noise = receiver_noise(count, rng)
    # without carrier the noise is louder: the squelch opens before and closes after
    if rng.random() < 0.3:
        tail = min(count, int(rng.uniform(0.03, 0.35) * RATE))
        noise[count - tail :] *= rng.uniform(1, 1 + 3 * 10 ** (max(ratio, 0) / 20))
    if rng.random() < 0.12:
        head = min(count, int(rng.uniform(0.02, 0.2) * RATE))
        noise[:head] *= rng.uniform(1, 1 + 3 * 10 ** (max(ratio, 0) / 20))
    out = talk + noise * 10 ** (-ratio / 20)
    if rng.random() < 0.12:
        out = out + rng.uniform(0, 0.35) * np.sin(2 * np.pi * (rng.uniform(300, 2600) * t + rng.uniform(-60, 60) * t**2) + rng.uniform(0, 6))
    if rng.random() < 0.15:
        hum = rng.choice([50, 60, 100, 120, 400])
        out = out + sum(rng.uniform(0, 0.4) / k * np.sin(2 * np.pi * hum * k * t) for k in (1, 2, 3))
    if rng.random() < 0.25:  # key clicks
        for at in (0, count - 100):
            if rng.random() < 0.6 and at >= 0:
                out[at : at + 100] += rng.uniform(0.5, 4) * rng.standard_normal(min(100, count - at)) * np.exp(-np.arange(min(100, count - at)) / 20)
    # receiver and recorder
    if rng.random() < 0.55:
        out = gain_control(out, rng)
    if rng.random() < 0.25:
        limit = np.abs(out).max() * rng.uniform(0.25, 0.9)
        out = np.clip(out, -limit, limit)
    if rng.random() < 0.6:
        out = resample_poly(resample_poly(out, 1, 2), 2, 1)[:count]
        if rng.random() < 0.5:
            out = sosfilt(butter(6, rng.uniform(3000, 3800), "low", fs=RATE, output="sos"), out)
    if rng.random() < 0.35:
        out = through_codec(out, rng)
    if rng.random() < 0.1:  # lost packets
        for at in rng.integers(0, count, rng.integers(1, 4)):
            out[at : at + int(rng.uniform(0.01, 0.06) * RATE)] *= rng.uniform(0, 0.1)
    if rng.random() < 0.15:  # recorded far too quietly, in 16 bits
        level = 10 ** (rng.uniform(-55, -35) / 20)
        out = np.round(out / np.abs(out).max() * level * 32767)
    return out, alone


def no_speech(count: int, rng: np.random.Generator, foreign: np.ndarray | None) -> np.ndarray:
    """Noise, tones, music, or speech of another language: what has to give no text."""
    t = np.arange(count) / RATE
    kind = rng.choice(["noise", "tone", "music", "bursts", "foreign"], p=[0.3, 0.1, 0.15, 0.1, 0.35])
    if kind == "foreign" and foreign is not None:
        if rng.random() < 0.5:  # a segmenter's piece of it
            length = int(RATE * rng.uniform(0.7, 2.5))
            start = int(rng.integers(max(1, len(foreign) - length)))
            foreign = foreign[start : start + length]
        return transmit(foreign, rng, hard=0.7)
    if kind == "tone":
        x = sum(np.sin(2 * np.pi * rng.uniform(200, 3000) * t) * (np.sin(2 * np.pi * rng.uniform(0.3, 5) * t + rng.uniform(0, 6)) > rng.uniform(-1, 0.7)) for _ in range(rng.integers(1, 4)))
    elif kind == "music":
        x = music(count, rng)
    elif kind == "bursts":
        x = receiver_noise(count, rng) * 0.1
        for _ in range(rng.integers(1, 5)):
            at, size = rng.integers(0, count), int(rng.uniform(0.03, 0.5) * RATE)
            x[at : at + size] *= rng.uniform(3, 30)
    else:
        x = cabin_noise(count, rng) if rng.random() < 0.3 else receiver_noise(count, rng)
        if rng.random() < 0.3:
            x = gain_control(x, rng)
        return x
    if rng.random() < 0.7:
        x = x / rms(x) + receiver_noise(count, rng) * 10 ** (-rng.uniform(0, 30) / 20)
    if rng.random() < 0.5:
        x = sosfilt(butter(2, [rng.uniform(150, 400), rng.uniform(2400, 3600)], "band", fs=RATE, output="sos"), x)
    return x


def music(count: int, rng: np.random.Generator) -> np.ndarray:
    """A few bars: chords of plucked or held notes and a beat."""
    out, beat = np.zeros(count), int(RATE * rng.uniform(0.2, 0.6))
    root = rng.uniform(80, 330)
    for at in range(0, count, beat):
        length = min(count - at, int(beat * rng.uniform(0.8, 3)))
        tt = np.arange(length) / RATE
        for step in rng.choice([0, 2, 3, 4, 5, 7, 9, 11, 12], rng.integers(1, 4), replace=False):
            note = root * 2 ** (step / 12)
            fall = np.exp(-tt * rng.uniform(0.5, 8))
            out[at : at + length] += sum(np.sin(2 * np.pi * note * k * tt) / k ** rng.uniform(0.8, 2) for k in range(1, 7)) * fall
        if rng.random() < 0.5:
            hit = min(length, 2000)
            out[at : at + hit] += rng.standard_normal(hit) * np.exp(-np.arange(hit) / 400) * 2
    return out


def as_recogniser_hears(x: np.ndarray) -> np.ndarray:
    """Offset and rumble removed (high-pass at 100 Hz), scaled to a peak of .7: what the recogniser does before its graphs."""
    sos = butter(2, 100, "high", fs=RATE, output="sos")
    y = sosfilt(sos, x)
    return (y / (np.abs(y).max() + 1e-9) * 0.7).astype(np.float32)


def vary(recorded: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A real recording, hardly changed: it has its channel already. Tempo, a little noise, level, now and then a codec."""
    x = recorded.astype(np.float64)
    if rng.random() < 0.4:
        x = faster_or_deeper(x, rng)
    if rng.random() < 0.4:
        x = x + receiver_noise(len(x), rng) * rms(x) * 10 ** (-rng.uniform(8, 30) / 20)
    if rng.random() < 0.2:
        x = gain_control(x, rng)
    if rng.random() < 0.2:
        x = through_codec(x, rng)
    return x
