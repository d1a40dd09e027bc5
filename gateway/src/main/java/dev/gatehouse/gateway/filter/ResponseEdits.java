package dev.gatehouse.gateway.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is changed in a response's head on its way to the client, besides what is always done.
 *
 * @param identified the answer is for a known person: no shared cache may keep it
 * @param added fields that are added behind the app's own
 * @param security fields that are added where the app has none of the name
 * @param links how links and cookies are told, where that is not as the app does
 */
public record ResponseEdits(
    boolean identified, List<HeaderEdits.Edit> added, SecurityFields security, Optional<Links> links) {

  public static final ResponseEdits ANONYMOUS = new ResponseEdits(false, List.of());
  public static final ResponseEdits IDENTIFIED = new ResponseEdits(true, List.of());

  public ResponseEdits(boolean identified, List<HeaderEdits.Edit> added) {
    this(identified, added, SecurityFields.NONE, Optional.empty());
  }

  /** Those of a response to somebody known, or to anybody. */
  public static ResponseEdits of(boolean identified) {
    return identified ? IDENTIFIED : ANONYMOUS;
  }

  /** These and some more. */
  public ResponseEdits adding(List<HeaderEdits.Edit> more) {
    List<HeaderEdits.Edit> all = new ArrayList<>(added);
    all.addAll(more);
    return new ResponseEdits(identified, List.copyOf(all), security, links);
  }

  /** A Set-Cookie field of the app's in the client's words. */
  public String cookie(String value) {
    return links.filter(Links::cookies).map(known -> known.cookie(value)).orElse(value);
  }

  /** These and one field more. */
  public ResponseEdits and(HeaderEdits.Edit more) {
    return adding(List.of(more));
  }
}
