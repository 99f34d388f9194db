// Texts of more than one place: in a story and in the pictures of the documentation.

/** The embedded lane knows how the last assignment goes on, once there is a blank behind it. */
export const BOX = `export class Box {
    constructor(width: number, depth: number, color: string, height: number) {
        this.width = width;
        this.depth = depth;
        this.color = color;
        this.height =
    }
}
`;
