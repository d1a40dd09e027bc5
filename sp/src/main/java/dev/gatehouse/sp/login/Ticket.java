package dev.gatehouse.sp.login;

import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.store.PackedCodec;
import dev.gatehouse.common.store.ValueCodec;

/**
 * Carries a session from the home origin to another origin of the realm. It is valid once, for that origin and that
 * browser, within one minute.
 */
record Ticket(ReturnTarget target, SessionId session) {

  static final ValueCodec<Ticket> CODEC =
      PackedCodec.of(
          2,
          (out, ticket) -> {
            ReturnTarget.write(out, ticket.target());
            out.text(ticket.session().value());
          },
          in -> new Ticket(ReturnTarget.read(in), new SessionId(in.text())));
}
