package dev.gatehouse.gateway.stream;

import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.refusal.Refusal;
import dev.gatehouse.gateway.route.AddressedHost;
import dev.gatehouse.gateway.route.PermittedRequest;
import java.util.function.Function;

/** The way of a permitted request to its app, for the steps that answer in the app's place or change its response. */
public interface Forwarding {

  /** Forwards the request to the app, and passes the response to {@code sink}. */
  void forward(PermittedRequest request, ResponseSink sink);

  /**
   * Submits a form on behalf of the client, which has not received anything yet, in an exchange of its own. The client
   * gets only the response to the form.
   *
   * @param sink takes the response in that exchange
   */
  void submit(PermittedRequest form, byte[] body, Function<Forwarding, ResponseSink> sink);

  /** A second exchange with the app that this request has caused and that outlives it. */
  Forwarding inBackground(ClientStream background, RequestHead other);

  /** Called when the response was sent completely, or was aborted. */
  void done();

  /** Refuses the request because the app failed before its response began. */
  void refuse(AddressedHost to, String path, Refusal refusal);

  /** Reports a fault of the gateway itself after the app's response was read. */
  void fault(AddressedHost to, String path, String route, Throwable fault);

  /** Called when the client's connection has closed. */
  void closed();

  /** Returns whether the client's connection has closed. */
  boolean isClosed();
}
