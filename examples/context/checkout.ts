import { connect } from "./database";

interface Item {
    price: number;
    quantity: number;
}

export function total(items: Item[]) {
    return items.reduce((sum, item) => sum + item.price * item.quantity, 0);
}

export async function pay(items: Item[]) {
    const database = await connect();
    return database.charge(totl(items));
}
