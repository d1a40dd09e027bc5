package dev.gatehouse.common.audit.shared;

import dev.gatehouse.common.audit.search.EventFields;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import org.postgresql.PGConnection;

/** Events in the binary form of {@code COPY}, whose values need no escapes. */
final class EventCopy {

  private static final String COMMAND =
      "copy audit_event (at, seq, request_key, person_key, name_key, partner_key, address_key, reason_key, event_key, realm_key, source,"
          + " is_client, is_routine, line) from stdin (format binary)";

  /** Kinds of events that every login brings: an index of them would hold nearly all events. */
  static final Set<String> ROUTINE =
      Set.of("AssertionIssued", "AssertionAccepted", "TokensIssued", "SessionEnded", "LogoutPropagated", "LoginSucceeded");

  private static final byte[] SIGNATURE = "PGCOPY\n\u00ff\r\n\0".getBytes(StandardCharsets.ISO_8859_1);
  private static final int COLUMNS = 14;
  private static final int ABSENT = -1;

  /** Times are microseconds since 2000. */
  private static final long EPOCH_MILLIS = 946_684_800_000L;

  private static final int MICROS = 1000;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 16);
  private final DataOutputStream out = new DataOutputStream(bytes);
  private int rows;

  EventCopy() {
    try {
      out.write(SIGNATURE);
      out.writeInt(0);
      out.writeInt(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int rows() {
    return rows;
  }

  /** @param line without the line feed */
  void add(int source, long seq, EventFields fields, byte[] line) {
    rows++;
    try {
      out.writeShort(COLUMNS);
      number((fields.millis() - EPOCH_MILLIS) * MICROS);
      number(seq);
      number(fields.key("reference"));
      number(fields.key("person"));
      number(fields.key("name"));
      number(fields.key("partner").or(() -> fields.key("clientId")));
      number(fields.key("client"));
      number(fields.key("reason"));
      number(fields.key("event").orElse(0L));
      number(fields.key("realm").orElse(0L));
      out.writeInt(Integer.BYTES);
      out.writeInt(source);
      flag(fields.client().isPresent());
      flag(ROUTINE.contains(fields.event()));
      out.writeInt(line.length);
      out.write(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void number(Optional<Long> value) throws IOException {
    if (value.isPresent()) {
      number(value.get());
    } else {
      out.writeInt(ABSENT);
    }
  }

  private void number(long value) throws IOException {
    out.writeInt(Long.BYTES);
    out.writeLong(value);
  }

  private void flag(boolean value) throws IOException {
    out.writeInt(1);
    out.writeBoolean(value);
  }

  /** Sends the rows in the transaction of the connection. */
  void send(Connection connection) throws SQLException {
    try {
      out.writeShort(ABSENT);
      InputStream in = new ByteArrayInputStream(bytes.toByteArray());
      long copied = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(COMMAND, in);
      if (copied != rows) {
        throw new SQLException("PostgreSQL took " + copied + " of " + rows + " events");
      }
    } catch (IOException e) {
      throw new SQLException("Events could not be sent", e);
    }
  }
}
