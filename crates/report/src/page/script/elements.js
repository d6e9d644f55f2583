"use strict";
// Elements are made with text nodes and attributes only: no text ever becomes markup.

const SVG = "http://www.w3.org/2000/svg";

function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function shape(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

function paragraph(...children) {
  return element("p", {}, ...children);
}

function note(...children) {
  return element("p", { class: "note-text" }, ...children);
}

/** The place of a part of the page. */
function body(name) {
  return document.querySelector(`#${name} > .body`);
}

/** Takes a part out that has nothing to say. */
function leaveOut(name) {
  document.getElementById(name).remove();
  document.querySelector(`nav a[href="#${name}"]`)?.remove();
}
