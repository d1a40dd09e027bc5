package dev.gatehouse.gateway.filter;

import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.FieldSink;
import dev.gatehouse.gateway.message.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes an app's fields as a client receives them: without fields of the connection, and without cookies that use
 * Gatehouse's names.
 *
 * <p>A response to an authenticated person must never be stored by shared caches (RFC 9111, section 3): {@code private}
 * is added to Cache-Control, {@code public} and {@code s-maxage} are removed from it, and the fields for certain caches
 * (RFC 9213) are dropped. The gateway must do this because the app does not know that its page is
 * protected.
 */
public final class ResponseFieldsFilter {

  private static final byte[] LOCATION = Ascii.bytes("location");
  private static final byte[] CONTENT_LOCATION = Ascii.bytes("content-location");
  private static final byte[] REFRESH = Ascii.bytes("refresh");

  /** The end of targeted fields' names, such as Cloudflare-CDN-Cache-Control (RFC 9213, section 2). */
  private static final byte[] TARGETED = Ascii.bytes("-cache-control");

  /** Fields that count for some caches more than Cache-Control: of nginx and Akamai. */
  private static final byte[][] OF_CACHES = {Ascii.bytes("x-accel-expires"), Ascii.bytes("edge-control")};

  private ResponseFieldsFilter() {}

  /** Writes all fields except the framing fields and the empty line. */
  public static void write(Fields fields, ResponseEdits edits, FieldSink out) {
    boolean identified = edits.identified();
    Set<String> nominated = NominatedNames.of(fields);
    boolean cacheControl = false;
    SecurityFields security = edits.security();
    @Nullable Links links = edits.links().orElse(null);
    for (int i = 0; i < fields.size(); i++) {
      FieldName name = fields.name(i);
      boolean dropped =
          switch (name) {
            case CONTENT_LENGTH -> true;
            // Ours is added: the app got it with the request.
            case X_REQUEST_ID -> true;
            case SET_COOKIE -> OwnCookies.setsOwn(fields, i);
            case CDN_CACHE_CONTROL, SURROGATE_CONTROL, CACHE_CONTROL -> identified;
            case CONNECTION, KEEP_ALIVE, PROXY_CONNECTION, TE, TRAILER, TRANSFER_ENCODING -> true;
            case UPGRADE, HTTP2_SETTINGS -> true;
            case PROXY_AUTHENTICATE, PROXY_AUTHORIZATION, PROXY_AUTHENTICATION_INFO -> true;
            case OTHER -> security.replaces(fields, i) || identified && isForCaches(fields, i);
            case HOST, EXPECT, AUTHORIZATION, DPOP, COOKIE, FORWARDED -> false;
            case X_FORWARDED_FOR, X_FORWARDED_PROTO, X_FORWARDED_HOST, X_FORWARDED_PORT -> false;
          };
      cacheControl |= name == FieldName.CACHE_CONTROL;
      if (dropped || !nominated.isEmpty() && nominated.contains(fields.nameText(i).toLowerCase(Locale.ROOT))) {
        continue;
      }
      if (links == null || !rewritten(links, fields, i, name, out)) {
        out.putField(fields, i);
      }
    }
    if (!security.isEmpty()) {
      security.write(fields, out);
    }
    if (identified) {
      out.putField("Cache-Control", cacheControl ? privately(fields.all(FieldName.CACHE_CONTROL)) : "private");
    }
    for (HeaderEdits.Edit added : edits.added()) {
      out.putField(added.name(), added.value());
    }
  }

  /** Writes the trailer fields of an app's response that a client may get. */
  public static void writeTrailers(Fields trailers, FieldSink out) {
    for (int i = 0; i < trailers.size(); i++) {
      if (TrailerNames.allows(trailers, i)) {
        out.putField(trailers, i);
      }
    }
  }

  /** Writes the field with rewritten links; returns false if the field has none. */
  private static boolean rewritten(Links links, Fields fields, int field, FieldName name, FieldSink out) {
    if (name == FieldName.SET_COOKIE && links.cookies()) {
      out.putField("Set-Cookie", links.cookie(fields.value(field)));
      return true;
    }
    if (name != FieldName.OTHER || !links.links()) {
      return false;
    }
    boolean refresh = is(fields, field, REFRESH);
    if (!refresh && !is(fields, field, LOCATION) && !is(fields, field, CONTENT_LOCATION)) {
      return false;
    }
    String value = fields.value(field);
    out.putField(fields.nameText(field), refresh ? links.refresh(value) : links.location(value));
    return true;
  }

  /** Returns whether the field tells certain caches for how long to store the response, whatever Cache-Control says. */
  private static boolean isForCaches(Fields fields, int field) {
    int end = fields.nameEnd(field);
    int start = end - TARGETED.length;
    return start > fields.nameStart(field) && Ascii.equalsLower(fields.bytes(), start, end, TARGETED)
        || is(fields, field, OF_CACHES[0])
        || is(fields, field, OF_CACHES[1]);
  }

  private static boolean is(Fields fields, int field, byte[] lower) {
    return Ascii.equalsLower(fields.bytes(), fields.nameStart(field), fields.nameEnd(field), lower);
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
