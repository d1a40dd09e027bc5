package dev.gatehouse.gateway.filter;

import java.util.List;

/**
 * What is changed in a response's head on its way to the client, besides what is always done.
 *
 * @param identified the answer is for a known person: no shared cache may keep it
 * @param added fields that are added behind the app's own
 */
public record ResponseEdits(boolean identified, List<HeaderEdits.Edit> added) {

  public static final ResponseEdits ANONYMOUS = new ResponseEdits(false, List.of());
  public static final ResponseEdits IDENTIFIED = new ResponseEdits(true, List.of());

  /** Those of a response to somebody known, or to anybody. */
  public static ResponseEdits of(boolean identified) {
    return identified ? IDENTIFIED : ANONYMOUS;
  }
}
