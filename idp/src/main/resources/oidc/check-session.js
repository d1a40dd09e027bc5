
"use strict";
(function () {
  const cookie = document.body.dataset.cookie + "=";

  function state() {
    const found = document.cookie.split("; ").find(function (pair) { return pair.startsWith(cookie); });
    return found === undefined ? "" : found.substring(cookie.length);
  }

  async function hash(text) {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    return Array.from(new Uint8Array(digest), function (b) { return b.toString(16).padStart(2, "0"); }).join("");
  }

  async function answer(message, origin) {
    const space = typeof message === "string" ? message.indexOf(" ") : -1;
    const dot = space < 0 ? -1 : message.lastIndexOf(".");
    if (space < 1 || dot < space) {
      return "error";
    }
    const salt = message.substring(dot + 1);
    const expected = await hash(message.substring(0, space) + " " + origin + " " + state() + " " + salt);
    return expected === message.substring(space + 1, dot) ? "unchanged" : "changed";
  }

  window.addEventListener("message", function (event) {
    if (event.source === null || event.source === window || event.origin === "null") {
      return;
    }
    answer(event.data, event.origin).catch(function () { return "error"; }).then(function (told) {
      event.source.postMessage(told, event.origin);
    });
  });
})();
