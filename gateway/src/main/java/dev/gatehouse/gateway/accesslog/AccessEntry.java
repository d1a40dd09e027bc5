package dev.gatehouse.gateway.accesslog;

import dev.gatehouse.gateway.message.RequestHead;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one request so far. Belongs to the client's event loop; a connection that serves one request at a time
 * uses one again and again. Times are as of {@link System#nanoTime()}.
 */
public final class AccessEntry {

  /** The client was gone before there was a response, as nginx writes it. */
  public static final int CLIENT_GONE = 499;

  private static final byte[] NOTHING = new byte[0];

  private @Nullable RequestHead head;
  private @Nullable InetAddress client;
  private String protocol = "";
  private String tls = "";
  private String user = "";
  private String route = "";
  private String cache = "";
  private byte[] server = NOTHING;
  private long begun;
  private long serverNanos = -1;
  private int status;
  private long bytes;
  private boolean open;

  /** Set on another thread before the response is handed to the loop. */
  private volatile String reference = "";

  private volatile String reason = "";

  /**
   * A request begins.
   *
   * @param read its head; nothing where it cannot be read
   * @param protocol such as {@code HTTP/1.1}
   * @param tls such as {@code TLSv1.3}; empty without
   */
  public void begin(@Nullable RequestHead read, InetAddress peer, String protocol, String tls, long now) {
    head = read;
    client = peer;
    this.protocol = protocol;
    this.tls = tls;
    begun = now;
    user = "";
    route = "";
    cache = "";
    server = NOTHING;
    serverNanos = -1;
    status = 0;
    bytes = 0;
    if (!reason.isEmpty() || !reference.isEmpty()) {
      reference = "";
      reason = "";
    }
    open = true;
  }

  /** True once for each {@link #begin}: the line is to be written now. */
  public boolean end() {
    boolean was = open;
    open = false;
    return was;
  }

  /** As trusted proxies tell. */
  public void client(InetAddress address) {
    client = address;
  }

  /** The name that the person is known by. */
  public void user(String name) {
    user = name;
  }

  public void route(String name) {
    route = name;
  }

  /** What the cache had to say: HIT, MISS and their like. */
  public void cache(String state) {
    cache = state;
  }

  /**
   * An app's server answered, or failed to.
   *
   * @param label host and port
   */
  public void server(byte[] label, long nanos) {
    server = label;
    serverNanos = nanos;
  }

  public void status(int code) {
    status = code;
  }

  /** Bytes of the response's body were sent. */
  public void sent(long count) {
    bytes += count;
  }

  /** Why it was refused, and the id that page, log and audit log know; may be called on any thread. */
  public void refused(String why, String id) {
    reason = why;
    reference = id;
  }

  @Nullable RequestHead head() {
    return head;
  }

  @Nullable InetAddress client() {
    return client;
  }

  /** Such as {@code HTTP/1.1}; empty for what no client has asked. */
  public String protocol() {
    return protocol;
  }

  String tls() {
    return tls;
  }

  String user() {
    return user;
  }

  String route() {
    return route;
  }

  String cache() {
    return cache;
  }

  byte[] server() {
    return server;
  }

  /** -1 where no server was asked. */
  long serverNanos() {
    return serverNanos;
  }

  long begun() {
    return begun;
  }

  int status() {
    return status == 0 ? CLIENT_GONE : status;
  }

  long bytes() {
    return bytes;
  }

  String reference() {
    return reference;
  }

  String reason() {
    return reason;
  }
}
