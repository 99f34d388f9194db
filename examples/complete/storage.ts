export function loadNumber(name: string): number {
    const stored = localStorage.getItem(name);
    return stored === null ? 0 : Number(stored);
}

export function saveNumber(name: string, value: number): void {
    localStorage.setItem(name, String(value));
}
