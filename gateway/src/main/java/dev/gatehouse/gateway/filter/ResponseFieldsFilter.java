package dev.gatehouse.gateway.filter;

import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.FieldSink;
import dev.gatehouse.gateway.message.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Writes an app's fields as a client receives them: without what is about the connection, and without cookies that pass
 * for ours.
 *
 * <p>What was answered to a known person is never for shared caches (RFC 9111, section 3): {@code private} is added to
 * Cache-Control, {@code public} and {@code s-maxage} are removed from it, and the fields that speak to delivery
 * networks (RFC 9213) are dropped. The app does not know that its page is protected; the gateway does.
 */
public final class ResponseFieldsFilter {

  private ResponseFieldsFilter() {}

  /** Writes everything but the framing fields and the empty line. */
  public static void write(Fields fields, ResponseEdits edits, FieldSink out) {
    boolean identified = edits.identified();
    Set<String> nominated = NominatedNames.of(fields);
    boolean cacheControl = false;
    for (int i = 0; i < fields.size(); i++) {
      FieldName name = fields.name(i);
      boolean dropped =
          switch (name) {
            case CONTENT_LENGTH -> true;
            case SET_COOKIE -> OwnCookies.setsOwn(fields, i);
            case CDN_CACHE_CONTROL, SURROGATE_CONTROL, CACHE_CONTROL -> identified;
            case CONNECTION, KEEP_ALIVE, PROXY_CONNECTION, TE, TRAILER, TRANSFER_ENCODING -> true;
            case UPGRADE, HTTP2_SETTINGS -> true;
            case PROXY_AUTHENTICATE, PROXY_AUTHORIZATION, PROXY_AUTHENTICATION_INFO -> true;
            case OTHER, HOST, EXPECT, AUTHORIZATION, DPOP, COOKIE, FORWARDED -> false;
            case X_FORWARDED_FOR, X_FORWARDED_PROTO, X_FORWARDED_HOST, X_FORWARDED_PORT -> false;
          };
      cacheControl |= name == FieldName.CACHE_CONTROL;
      if (dropped || !nominated.isEmpty() && nominated.contains(fields.nameText(i).toLowerCase(Locale.ROOT))) {
        continue;
      }
      out.putField(fields, i);
    }
    if (identified) {
      out.putField("Cache-Control", cacheControl ? privately(fields.all(FieldName.CACHE_CONTROL)) : "private");
    }
    for (HeaderEdits.Edit added : edits.added()) {
      out.putField(added.name(), added.value());
    }
  }

  /** Writes the fields behind an app's body that a client may see there. */
  public static void writeTrailers(Fields trailers, FieldSink out) {
    for (int i = 0; i < trailers.size(); i++) {
      if (TrailerNames.allows(trailers, i)) {
        out.putField(trailers, i);
      }
    }
  }

  private static String privately(List<String> values) {
    List<String> directives = new ArrayList<>();
    boolean alreadyPrivate = false;
    for (String directive : String.join(",", values).split(",")) {
      String text = directive.strip();
      String lower = text.toLowerCase(Locale.ROOT);
      alreadyPrivate |= lower.equals("private") || lower.equals("no-store");
      if (!text.isEmpty() && !lower.equals("public") && !lower.startsWith("s-maxage")) {
        directives.add(text);
      }
    }
    if (!alreadyPrivate) {
      directives.addFirst("private");
    }
    return String.join(", ", directives);
  }
}
