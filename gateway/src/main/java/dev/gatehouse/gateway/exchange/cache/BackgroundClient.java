package dev.gatehouse.gateway.exchange.cache;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.gateway.accesslog.AccessEntry;
import dev.gatehouse.gateway.cache.AgedResponse;
import dev.gatehouse.gateway.cache.CachedBody;
import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.stream.ClientStream;
import dev.gatehouse.gateway.stream.RequestCount;
import dev.gatehouse.gateway.traffic.ConnectionCount;
import dev.gatehouse.gateway.upstream.UpstreamFailure;
import io.netty.buffer.ByteBuf;

/** The client of a request that the cache itself sends to the app, for example to refresh a stale response. */
final class BackgroundClient implements ClientStream {

  private final RequestCount requests = new RequestCount(ConnectionCount.OfAddress.NONE);

  private final AccessEntry entry = new AccessEntry();
  private Runnable cancellation = () -> {};

  /**
   * Sets the action that cancels the request.
   *
   * @param away cancels the request, some time after it is called
   */
  void onCancel(Runnable cancellation) {
    this.cancellation = cancellation;
  }

  /**
   * Cancels the request because the rest of the response is not needed: a large response must not be transferred for
   * nothing.
   */
  void cancel() {
    cancellation.run();
  }

  /** No person sent this request, so this entry is never written to the access log. */
  @Override
  public AccessEntry entry() {
    return entry;
  }

  @Override
  public void receiveBody() {}

  @Override
  public void pauseBody(boolean stop) {}

  @Override
  public void reply(EdgeReply reply) {}

  @Override
  public void interim(ResponseHead head) {}

  @Override
  public void head(ResponseHead head, ResponseEdits edits) {}

  @Override
  public void shares(CachedBody body) {}

  @Override
  public void stored(AgedResponse response, ResponseEdits edits) {}

  @Override
  public void data(ByteBuf data) {
    data.release();
  }

  @Override
  public void flush() {}

  @Override
  public void end() {}

  @Override
  public void abort() {}

  @Override
  public RequestCount requestCount() {
    return requests;
  }

  @Override
  public boolean isCrowded() {
    return false;
  }

  @Override
  public boolean isWritable() {
    return true;
  }

  /** The failure is counted, and no one would see an error page. */
  @Override
  public boolean replaces(UpstreamFailure failure) {
    return true;
  }
}
