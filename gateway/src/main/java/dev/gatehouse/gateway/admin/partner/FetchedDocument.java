package dev.gatehouse.gateway.admin.partner;

import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.http.OutboundHttp.Cause;
import dev.gatehouse.common.http.PublicHttp;
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

  private static final Duration TOTAL = Duration.ofSeconds(10);
  private static final int MAX_BYTES = 10 << 20;
  private static final int MAX_SHOWN = 200;

  private FetchedDocument() {}

  /** Returns the body, or why there is none. */
  static Result<byte[], ProblemView> of(PublicHttp http, String url, String accept) {
    URI address;
    try {
      address = new URI(url);
    } catch (URISyntaxException e) {
      return refused(shown(url), "is not a URL", "write an address like https://idp.example.org/metadata");
    }
    return switch (http.get(address, accept, TOTAL, MAX_BYTES)) {
      case Answer.Failed(Cause cause, String problem) -> refused(shown(url), problem, remedy(cause));
      case Answer.Received(int status, byte[] body, Optional<String> location) when status == 200 -> Result.accepted(body);
      case Answer.Received(int status, byte[] body, Optional<String> location) when location.isPresent() ->
          refused(
              shown(url), "answers " + status + " and redirects to " + shown(location.get()), "use that address, if it is the right one");
      case Answer.Received(int status, byte[] body, Optional<String> location) ->
          refused(shown(url), "answers " + status, "use the address that answers 200 with the document");
    };
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

  private static Result<byte[], ProblemView> refused(String url, String message, String remedy) {
    return Result.refused(new ProblemView(url, 0, "url", message, remedy));
  }

  /** Makes text safe for one line. */
  static String shown(String text) {
    String some = text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "…" : text;
    return some.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
  }
}
