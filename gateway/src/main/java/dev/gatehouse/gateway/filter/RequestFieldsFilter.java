package dev.gatehouse.gateway.filter;

import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.TraceFields;
import java.util.Locale;
import java.util.Set;

/**
 * Writes a client's fields as an app receives them: without fields of the connection, forged identities and Gatehouse's
 * own cookies. The forwarding fields and the decision's edits are added afterwards, so that the client's {@code
 * Connection} field cannot remove them.
 */
public final class RequestFieldsFilter {

  private final StrippedNames stripped;

  public RequestFieldsFilter(StrippedNames stripped) {
    this.stripped = stripped;
  }

  /**
   * Writes all fields except the framing fields and the empty line.
   *
   * @param forwarded the result of {@link ForwardedFields#encode}, which includes Host
   * @param traced whether fields of our own trace are added, so that the client's are dropped
   */
  public void write(Fields fields, byte[] forwarded, HeaderEdits edits, boolean traced, HeadBuffer out) {
    out.put(forwarded);
    Set<String> nominated = NominatedNames.of(fields);
    for (int i = 0; i < fields.size(); i++) {
      FieldName name = fields.name(i);
      boolean dropped =
          switch (name) {
            case HOST, CONTENT_LENGTH, EXPECT -> true;
            case FORWARDED, X_FORWARDED_FOR, X_FORWARDED_PROTO, X_FORWARDED_HOST, X_FORWARDED_PORT -> true;
            case X_REQUEST_ID -> true;
            case OTHER -> stripped.contains(fields, i) || traced && TraceFields.contains(fields, i);
            case AUTHORIZATION ->
                edits.dropsToken() || edits.replacesAuthorization() || stripped.contains(fields, i);
            case DPOP -> edits.dropsToken() || stripped.contains(fields, i);
            case COOKIE -> edits.cookies().isPresent();
            case SET_COOKIE, CACHE_CONTROL, CDN_CACHE_CONTROL, SURROGATE_CONTROL -> false;
            case CONNECTION, KEEP_ALIVE, PROXY_CONNECTION, TE, TRAILER, TRANSFER_ENCODING -> true;
            case UPGRADE, HTTP2_SETTINGS -> true;
            case PROXY_AUTHENTICATE, PROXY_AUTHORIZATION, PROXY_AUTHENTICATION_INFO -> true;
          };
      if (dropped || !nominated.isEmpty() && nominated.contains(fields.nameText(i).toLowerCase(Locale.ROOT))) {
        continue;
      }
      if (name == FieldName.COOKIE) {
        OwnCookies.writeOthers(fields, i, out);
      } else {
        out.putField(fields, i);
      }
    }
    edits
        .cookies()
        .ifPresent(cookies -> OwnCookies.writeWith(fields, nominated.contains("cookie"), cookies, out));
    edits.write(out);
  }

  /** Writes the trailer fields of a client's request that an app may get: none that would be stripped from a head. */
  public void writeTrailers(Fields trailers, HeadBuffer out) {
    for (int i = 0; i < trailers.size(); i++) {
      if (TrailerNames.allows(trailers, i) && !stripped.contains(trailers, i)) {
        out.putField(trailers, i);
      }
    }
  }
}
