import React from "react";

type Props = { items: string[]; onPick(item: string): void };

export function List({ items, onPick }: Props) {
  return (
    <ul className="list">
      {items.map((item) => (
        <li key={item} onClick={() => onPick(item)}>{item}</li>
      ))}
    </ul>
  );
}

export default function App() {
  const [picked, pick] = React.useState<string>();
  return <List items={["a", "b"]} onPick={pick} />;
}
