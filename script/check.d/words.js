// Checks the words of the web app (CONTRIBUTING.md, "A word" and "A language"): what its modules say by t and tn, and
// its pages in HTML, against the tables of Web/words. Names what a table lacks, or has that nothing says; where a mark
// or a form differs; and what a module says in English past the tables. `--keys` prints the words that a table needs;
// `--sort` puts each word where it belongs: what the first look at the map says is in a table of its own.
// script/check.d/web runs it with the path of TypeScript.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const ts = require(process.argv[2]);

const WEB = path.join(__dirname, "../../Web");
const HTML = ["index.html", "shared/shared.html"];
// Properties that people read, and what they don't.
const SAID = new Set([
  "aria-label", "title", "alt", "placeholder", "label", "hint", "button", "lead", "text", "words", "word", "sentence",
  "about", "help", "none",
]);
const FOR_PROGRAMS = /(warn|querySelector(All)?|closest|replace|words|startsWith|includes|paint|font)$/;
// Modules whose texts are no words for people, or none that have a language.
const PLAIN = /\/(limits|text|device|labels|kinds|interest)\.js$/;
const NAMES = new Set(["Waymark", "GeoJSON", "Leaflet"]);
const problems = [];

// {forms, isCounted, at, isFirst} of each word, by key: one with a number has two forms; isFirst says whether the first
// look at the map says it.
const said = new Map();

function filesOf(folder) {
  return fs.readdirSync(path.join(WEB, folder), { recursive: true }).filter((name) => name.endsWith(".js"))
    .map((name) => path.join(folder, name));
}

// What a module imports before it runs, with all that these import.
function needed(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  const text = fs.readFileSync(path.join(WEB, file), "utf8");
  for (const [, source] of text.matchAll(/ from "([^"]+)";$/gm)) needed(path.join(path.dirname(file), source), found);
  return found;
}
const first = needed("modules/main.js");

function add(key, forms, at, file, isCounted = false) {
  const before = said.get(key);
  if (before && before.isCounted !== isCounted) problems.push(`${at}: "${key}" is said by t and by tn`);
  said.set(key, { forms, isCounted, at, isFirst: before?.isFirst || first.has(file) || file === HTML[0] });
}

// The text of a literal, or of several that are added.
function textOf(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const parts = [textOf(node.left), textOf(node.right)];
  return parts.includes(undefined) ? undefined : parts.join("");
}

const marksOf = (text) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort().join();

function read(file) {
  const code = fs.readFileSync(path.join(WEB, file), "utf8");
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.ES2022, true);
  const at = (node) => `Web/${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;

  function visit(node) {
    if (ts.isImportDeclaration(node)) return;
    const called = ts.isCallExpression(node) && ts.isIdentifier(node.expression) ? node.expression.text : "";
    if (called === "t" || called === "tn") {
      const texts = (called === "t" ? [0] : [1, 2]).map((index) => node.arguments[index])
        .map((argument) => argument && textOf(argument));
      if (!texts.includes(undefined)) {
        const key = texts.at(-1);
        const forms = called === "tn" ? texts : [key.split("|")[0]];
        add(key, forms, at(node), file, called === "tn");
        node.arguments.forEach((each) => textOf(each) === undefined && visit(each));
        return;
      }
    }
    const text = textOf(node);
    if (text !== undefined) {
      if (isForPeople(node, text)) problems.push(`${at(node)}: "${text}" is English past the tables: say it by t`);
      return;
    }
    if (ts.isTemplateExpression(node)) {
      const parts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
      if (parts.some(isSentence) && !isForPrograms(node)) {
        problems.push(`${at(node)}: \`${parts.join("…")}\` is English past the tables: say it by t`);
      }
    }
    ts.forEachChild(node, visit);
  }
  visit(source);
}

// Two words in a row of which the first begins a sentence, or three.
const isSentence = (text) => /^[A-Z“][\w’']* [a-z“]/.test(text) || /[a-z’']+,? [a-z’']+ [a-z’']+/.test(text);
const isOneWord = (text) => /^[A-Z][a-z]+…?$/.test(text) && !NAMES.has(text);

function isForPeople(node, text) {
  if (isForPrograms(node)) return false;
  const { parent } = node;
  if (ts.isPropertyAssignment(parent) && parent.initializer === node) {
    const isSaid = SAID.has(parent.name.text);
    return isSaid && isOneWord(text) || isSentence(text) && (isSaid || text[0] < "a");
  }
  // A child of an element.
  const isElement = ts.isCallExpression(parent) && parent.expression.getText() === "el";
  const isChild = isElement && parent.arguments.indexOf(node) > 1;
  return isChild && isOneWord(text) || isSentence(text) && (isChild || text[0] < "a");
}

// Classes, selectors, lists of keys, and what only a console or a log shows.
function isForPrograms(node) {
  for (let at = node; at.parent; at = at.parent) {
    const { parent } = at;
    if (ts.isPropertyAssignment(parent) && (parent.name === at || /^(class|rel)$/.test(parent.name.text))) return true;
    if (ts.isNewExpression(parent) && /^(Range|Left)Error$|RegExp/.test(parent.expression.getText())) return true;
    if (ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText())) return true;
    if (!ts.isCallExpression(parent)) continue;
    if (parent.expression === at) return false;
    return FOR_PROGRAMS.test(parent.expression.getText());
  }
  return false;
}

for (const file of filesOf("modules")) {
  if (!PLAIN.test(file)) read(file);
}
for (const file of HTML) {
  const text = fs.readFileSync(path.join(WEB, file), "utf8");
  const found = [...text.matchAll(/aria-label="([^"]+)"|<[^>]* data-words>([^<]+)</g)];
  for (const [, label, words] of found) add(label ?? words, [label ?? words], `Web/${file}`, file);
}
const served = fs.readFileSync(path.join(WEB, "words/served.txt"), "utf8").split("\n");
for (const line of served) {
  if (line && !line.startsWith("#")) add(line, [line], "Web/words/served.txt", "words/served.txt");
}

if (process.argv.includes("--keys")) {
  const keys = [...said].map(([key, { forms }]) => [key, forms.length > 1 ? forms : forms[0]]);
  console.log(JSON.stringify(Object.fromEntries(keys), undefined, 1));
  process.exit(0);
}

const tables = fs.readdirSync(path.join(WEB, "words")).filter((name) => name.endsWith(".json"));
const pathOf = (name, isFirst) => (isFirst ? `words/${name}` : `words/later/${name}`);
for (const name of tables) {
  const [now, later] = [true, false].map((isFirst) =>
    JSON.parse(fs.readFileSync(path.join(WEB, pathOf(name, isFirst)), "utf8")));
  const table = { ...later, ...now };
  if (process.argv.includes("--sort")) sort(name, table);
  else for (const [key, { isFirst }] of said) {
    if (key in table && !(key in (isFirst ? now : later))) {
      const [from, to] = [pathOf(name, !isFirst), pathOf(name, isFirst)];
      problems.push(`Web/${from}: "${key}" belongs into ${to}; --sort puts it there`);
    }
  }
  const language = name.replace(".json", "");
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  for (const [key, { at, forms, isCounted }] of said) {
    const words = table[key];
    if (words === undefined) {
      problems.push(`Web/words/${name}: "${key}" is missing (${at})`);
      continue;
    }
    const isText = typeof words === "string";
    if (!isCounted && !isText) problems.push(`Web/words/${name}: "${key}" is said without a number, and has forms`);
    // A text alone is one form for all numbers; English has two.
    const lacking = isText ? [] : categories.filter((category) => category !== "many" && !words[category]);
    if (lacking.length > 0) problems.push(`Web/words/${name}: "${key}" has no form for ${lacking.join(" and ")}`);
    for (const text of isText ? [words] : Object.values(words)) {
      const wanted = marksOf(forms.at(-1));
      const without = (marks) => marks.split(",").filter((mark) => mark !== "n").join();
      const isSame = isCounted && !isText ? without(marksOf(text)) === without(wanted) : marksOf(text) === wanted;
      if (!isSame) problems.push(`Web/words/${name}: "${text}" has {${marksOf(text)}}, and "${key}" {${wanted}}`);
    }
  }
  for (const key of Object.keys(table)) {
    if (!said.has(key)) problems.push(`Web/words/${name}: "${key}" is said nowhere`);
  }
}

// Puts each word where it belongs, in the order of the modules. Those that nothing says stay, to be named.
function sort(name, table) {
  for (const isFirst of [true, false]) {
    const keys = [...said.keys()].filter((key) => key in table && said.get(key).isFirst === isFirst);
    if (!isFirst) keys.push(...Object.keys(table).filter((key) => !said.has(key)));
    const lines = keys.map((key) => ` ${JSON.stringify(key)}: ${JSON.stringify(table[key])}`);
    fs.writeFileSync(path.join(WEB, pathOf(name, isFirst)), `{\n${lines.join(",\n")}\n}\n`);
  }
}

for (const problem of problems) console.log(problem);
process.exit(problems.length > 0 ? 1 : 0);
