#!/bin/sh
# Your recordings, prepared by prepare.py → a model folder that `hearback transcribe --model FOLDER` reads, with its error before and after.
#   sh adapt.sh MODEL TOKENIZER PREPARED OUT [MINUTES] [SYNTHETIC…]
#     MODEL      model folder to start from, e.g. models/whisper-base-radio
#     TOKENIZER  tokenizer.json of the original model (hearback models pull whisper-base-ct2)
#     PREPARED   folder that prepare.py wrote
#     OUT        folder to make; what it holds of an interrupted run is gone on with
#     SYNTHETIC  folders of synthetic speech (training/speech) that are mixed in, so that what is rare in yours is not forgotten
set -eu
[ $# -ge 4 ] || { sed -n '2,9p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")/.." && pwd)
model=$1 tokenizer=$2 prepared=$3 out=$4 minutes=${5:-60}
[ $# -ge 5 ] && shift 5 || shift 4
python=${PYTHON:-python3}
mkdir -p "$out/run"
[ -f "$out/start.safetensors" ] || "$python" "$here/export/read_export.py" --model "$model" --tokenizer "$tokenizer" --out "$out/start.safetensors" --tokens "$out/start.tokens.json"
"$python" "$here/recogniser/error_rate.py" --checkpoint "$out/start.safetensors" --tokens "$out/start.tokens.json" --tokenizer "$tokenizer" --speech "$prepared/held-out" --label before
"$python" "$here/recogniser/train.py" --real --run "$out/run" --start "$out/start.safetensors" --tokens "$out/start.tokens.json" --tokenizer "$tokenizer" \
  --speech "$prepared/train" "$@" --minutes "$minutes" --anneal "$((minutes / 3))" --rate 2e-5 --measure-every 100000
"$python" "$here/recogniser/error_rate.py" --checkpoint "$out/run/average.safetensors" --tokens "$out/run/tokens.json" --tokenizer "$tokenizer" --speech "$prepared/held-out" --label after
"$python" "$here/export/export_model.py" --safetensors "$out/run/average.safetensors" --tokens "$out/run/tokens.json" --tokenizer "$tokenizer" \
  --context follows-audio --out "$out/model" --name "$(basename "$out")"
echo "hearback transcribe RECORDING --model $out/model"
