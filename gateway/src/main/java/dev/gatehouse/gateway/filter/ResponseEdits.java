package dev.gatehouse.gateway.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The changes of a response's head for the client, besides those made to every response.
 *
 * @param identified whether the response is for an authenticated person, so that no shared cache may store it
 * @param added fields that are added after the app's own
 * @param security fields that are added if the app has not set them
 * @param links rewrites links and cookies; empty if they are not changed
 */
public record ResponseEdits(
    boolean identified, List<HeaderEdits.Edit> added, SecurityFields security, Optional<Links> links) {

  public static final ResponseEdits ANONYMOUS = new ResponseEdits(false, List.of());
  public static final ResponseEdits IDENTIFIED = new ResponseEdits(true, List.of());

  public ResponseEdits(boolean identified, List<HeaderEdits.Edit> added) {
    this(identified, added, SecurityFields.NONE, Optional.empty());
  }

  /** The standard edits for an identified or an anonymous response. */
  public static ResponseEdits of(boolean identified) {
    return identified ? IDENTIFIED : ANONYMOUS;
  }

  /** A copy with more fields. */
  public ResponseEdits adding(List<HeaderEdits.Edit> more) {
    List<HeaderEdits.Edit> all = new ArrayList<>(added);
    all.addAll(more);
    return new ResponseEdits(identified, List.copyOf(all), security, links);
  }

  /** The client's form of a Set-Cookie field of the app. */
  public String cookie(String value) {
    return links.filter(Links::cookies).map(known -> known.cookie(value)).orElse(value);
  }

  /** A copy with one more field. */
  public ResponseEdits and(HeaderEdits.Edit more) {
    return adding(List.of(more));
  }
}
