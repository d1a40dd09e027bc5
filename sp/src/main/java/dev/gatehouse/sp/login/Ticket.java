package dev.gatehouse.sp.login;

import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.store.ValueCodec;
import dev.gatehouse.sp.codec.FieldCodec;

/**
 * Carries a session from the home origin to another origin of the realm. It is valid once, for that origin and that
 * browser, within one minute.
 */
record Ticket(ReturnTarget target, SessionId session) {

  static final ValueCodec<Ticket> CODEC =
      new FieldCodec<>(
          1,
          (out, ticket) -> {
            ReturnTarget.write(out, ticket.target());
            out.text(ticket.session().value());
          },
          in -> new Ticket(ReturnTarget.read(in), new SessionId(in.text())));
}
