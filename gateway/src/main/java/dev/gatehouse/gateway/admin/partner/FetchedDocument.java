package dev.gatehouse.gateway.admin.partner;

import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.http.OutboundHttp.Cause;
import dev.gatehouse.common.http.PublicHttp;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.gateway.admin.configuration.ProblemView;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Optional;

/**
 * Fetches a document from an address that an administrator typed in. The client connects to public addresses and to those of {@code
 * outbound.allow} only, and follows no redirect: what it finds is shown, so that it must not read what is not meant for strangers.
 */
final class FetchedDocument {

  /** What is fetched, and for whom. */
  record Wanted(String key, String url, String accept, Destinations permitted) {}

  private static final Duration TOTAL = Duration.ofSeconds(10);
  private static final int MAX_BYTES = 10 << 20;
  private static final int MAX_SHOWN = 200;

  private FetchedDocument() {}

  /** Returns the body, or why there is none. */
  static Result<byte[], ProblemView> of(PublicHttp http, Wanted wanted) {
    URI address;
    try {
      address = new URI(wanted.url());
    } catch (URISyntaxException e) {
      return refused(wanted, "is not a URL", "write an address like https://idp.example.org/metadata");
    }
    Optional<Problem> refusal = wanted.permitted().refusal(wanted.url());
    if (refusal.isPresent()) {
      return refused(wanted, refusal.get().message(), refusal.get().remedy());
    }
    return switch (http.get(address, wanted.accept(), TOTAL, MAX_BYTES)) {
      case Answer.Failed(Cause cause, String problem) -> refused(wanted, why(cause, problem), remedy(cause));
      case Answer.Received(int status, byte[] body, Optional<String> location) when status == 200 -> Result.accepted(body);
      case Answer.Received(int status, byte[] body, Optional<String> location) when location.isPresent() ->
          refused(wanted, "answers " + status + " and redirects to " + shown(location.get()), "use that address, if it is the right one");
      case Answer.Received(int status, byte[] body, Optional<String> location) ->
          refused(wanted, "answers " + status, "use the address that answers 200 with the document");
    };
  }

  /** Returns what went wrong, for people: the cause in words, and what the client says without the name of its exception. */
  static String why(Cause cause, String problem) {
    return cause.text() + " (" + shown(problem.replaceFirst("^\\w+Exception: ", "")) + ")";
  }

  private static String remedy(Cause cause) {
    return switch (cause) {
      case ADDRESS_INVALID -> "write an address like https://idp.example.org/metadata, without a user name";
      case ADDRESS_REFUSED ->
          "use https and a public address, or send the document itself; outbound.allow in gatehouse.yaml permits others";
      case NAME_UNKNOWN -> "correct the host name";
      case TIMEOUT, CONNECTION -> "try again when the server answers, or send the document itself";
      case TLS -> "its certificate must be of a known authority (outbound.authorities in gatehouse.yaml adds some) and for that name";
      case TOO_LARGE -> "use an address with the metadata of this partner alone";
      case PROTOCOL -> "use the address of an HTTP server";
    };
  }

  private static Result<byte[], ProblemView> refused(Wanted wanted, String message, String remedy) {
    return Result.refused(new ProblemView(shown(wanted.url()), 0, wanted.key(), message, remedy));
  }

  /** Makes text safe for one line. */
  static String shown(String text) {
    String some = text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "…" : text;
    return some.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
  }
}
