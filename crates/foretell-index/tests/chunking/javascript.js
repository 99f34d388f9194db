#!/usr/bin/env node
"use strict";

const fs = require("fs");
const { join } = require("path");

/**
 * Reads settings.
 */
function readSettings(folder) {
  const path = join(folder, "settings.json");
  return JSON.parse(fs.readFileSync(path, "utf8"));
}

function* numbers() {
  let next = 0;
  while (true) yield next++;
}

exports.walk = function (folder, visit) {
  for (const name of fs.readdirSync(folder)) {
    visit(join(folder, name));
  }
};

Queue.prototype.push = (item) => {
  items.push(item);
};

class Queue {
  #items = [];
  pop() {
    return this.#items.pop();
  }
}

describe("a queue", () => {
  it("pops what was pushed", () => {
    const queue = new Queue();
    queue.push(1);
    expect(queue.pop()).toBe(1);
  });
});

module.exports = { readSettings, numbers, Queue };
