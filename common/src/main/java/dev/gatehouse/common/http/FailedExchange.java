package dev.gatehouse.common.http;

import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.http.OutboundHttp.Cause;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.ClientProtocolException;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.MalformedChunkCodingException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.NoHttpResponseException;

/** Converts network exceptions to answers whose problem text tells administrators where to look. */
final class FailedExchange {

  private FailedExchange() {}

  static Answer.Failed answer(IOException failure, CurrentExchange exchange) {
    if (exchange.isLate()
        || failure instanceof ConnectionRequestTimeoutException
        || failure instanceof AddressResolver.TooLate) {
      // Our timer closed the connection; the exception says only that the connection is closed.
      return new Answer.Failed(Cause.TIMEOUT, exchange.tooLate());
    }
    if (Thread.currentThread().isInterrupted()) {
      return new Answer.Failed(Cause.CONNECTION, "interrupted");
    }
    return new Answer.Failed(cause(failure), problem(failure));
  }

  private static Cause cause(IOException failure) {
    return switch (failure) {
      case AddressResolver.Refused e -> Cause.ADDRESS_REFUSED;
      case AddressResolver.TooMany e -> Cause.CONNECTION;
      case UnknownHostException e -> Cause.NAME_UNKNOWN;
      case SSLException e -> Cause.TLS;
      case SocketTimeoutException e -> Cause.TIMEOUT;
      case ClientProtocolException e -> Cause.PROTOCOL;
      case ConnectionClosedException e -> Cause.PROTOCOL;
      case MalformedChunkCodingException e -> Cause.PROTOCOL;
      case MessageConstraintException e -> Cause.PROTOCOL;
      case NoHttpResponseException e -> Cause.PROTOCOL;
      default -> Cause.CONNECTION;
    };
  }

  /** Makes the text safe for logs: it may contain words of the other side. */
  private static String printable(String text) {
    return (text.length() > 300 ? text.substring(0, 300) : text).replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
  }

  private static String problem(IOException failure) {
    Throwable reported = failure instanceof ClientProtocolException && failure.getCause() != null ? failure.getCause() : failure;
    String message = reported.getMessage();
    if ((reported instanceof AddressResolver.Refused || reported instanceof AddressResolver.TooMany) && message != null) {
      return message;
    }
    String name = reported.getClass().getSimpleName();
    return message == null || message.isBlank() ? name : name + ": " + printable(message);
  }
}
