import { loadNumber, saveNumber } from "./storage";

const width = document.querySelector<HTMLInputElement>("#width");
const height = document.querySelector<HTMLInputElement>("#height");
const depth = document.querySelector<HTMLInputElement>("#depth");

export function restore() {
    if (width) {
        width.value = String(loadNumber("width"));
        width.addEventListener("change", () => saveNumber("width", width.valueAsNumber));
    }
    if (height) {
        height.value = String(loadNumber("height"));
        height.addEventListener("change", () => saveNumber("height", height.valueAsNumber));
    }
    if (depth) {
        depth.value = String(loadNumber("depth"));
        depth.addEventListener(
    }
}
