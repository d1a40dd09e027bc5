package dev.gatehouse.sp.acs;

import dev.gatehouse.sp.codec.FieldCodec;
import dev.gatehouse.sp.codec.FieldReader;
import dev.gatehouse.sp.codec.FieldWriter;
import dev.gatehouse.sp.login.ReturnTarget;
import java.util.Optional;

/**
 * A login that kept every rule and is not yet consumed.
 *
 * @param realm its realm's name
 * @param requestId the pending AuthnRequest that it answers; empty where it is unsolicited
 * @param target where the person goes
 * @param browser the hash of what the browser must hold: of its {@code gh_pre} cookie where it answers a request, of
 *     its {@code gh_park} cookie where it does not
 */
record Arrival(
    String realm, VerifiedAssertion assertion, Optional<String> requestId, ReturnTarget target, String browser) {

  static final FieldCodec<Arrival> CODEC =
      new FieldCodec<>(
          4,
          (out, arrival) -> {
            out.text(arrival.realm());
            VerifiedAssertion.write(out, arrival.assertion());
            out.optional(arrival.requestId(), FieldWriter::text);
            ReturnTarget.write(out, arrival.target());
            out.text(arrival.browser());
          },
          in ->
              new Arrival(
                  in.text(),
                  VerifiedAssertion.read(in),
                  in.optional(FieldReader::text),
                  ReturnTarget.read(in),
                  in.text()));

  boolean isSolicited() {
    return requestId.isPresent();
  }
}
