package dev.gatehouse.gateway.netty.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.AbstractSniHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reads a client's ClientHello (RFC 8446, section 4.1.2), chooses the certificate, and replaces itself by the TLS
 * handler.
 */
final class CertificateChoice extends AbstractSniHandler<SslContext> {

  private static final int SIGNATURE_ALGORITHMS = 13;

  private final ServerCertificates certificates;
  private final Duration handshake;
  private boolean ecdsa;

  CertificateChoice(ServerCertificates certificates, Duration handshake) {
    super(handshake.toMillis());
    this.certificates = certificates;
    this.handshake = handshake;
  }

  @Override
  protected Future<SslContext> lookup(ChannelHandlerContext ctx, ByteBuf clientHello) throws Exception {
    ecdsa = clientHello != null && verifiesEcdsa(clientHello);
    return super.lookup(ctx, clientHello);
  }

  @Override
  protected Future<SslContext> lookup(ChannelHandlerContext ctx, @Nullable String hostname) {
    return ctx.executor().newSucceededFuture(certificates.choose(hostname, ecdsa));
  }

  @Override
  protected void onLookupComplete(ChannelHandlerContext ctx, @Nullable String hostname, Future<SslContext> chosen) {
    if (!chosen.isSuccess()) {
      ctx.close();
      return;
    }
    SslHandler tls = TlsContexts.handler(chosen.getNow(), ctx.channel(), handshake);
    ctx.pipeline().replace(this, null, tls);
  }

  /** Returns whether signature_algorithms (RFC 8446, section 4.2.3) contains ECDSA on one of the usual curves. */
  static boolean verifiesEcdsa(ByteBuf hello) {
    int end = hello.writerIndex();
    try {
      int at = hello.readerIndex() + 34;
      at += 1 + hello.getUnsignedByte(at);
      at += 2 + hello.getUnsignedShort(at);
      at += 1 + hello.getUnsignedByte(at);
      at += 2;
      while (at + 4 <= end) {
        int type = hello.getUnsignedShort(at);
        int length = hello.getUnsignedShort(at + 2);
        at += 4;
        if (type == SIGNATURE_ALGORITHMS) {
          return hasEcdsa(hello, at + 2, Math.min(end, at + length));
        }
        at += length;
      }
    } catch (IndexOutOfBoundsException e) {
      // The TLS handler cannot parse such a message either, and reports the error.
      return false;
    }
    return false;
  }

  private static boolean hasEcdsa(ByteBuf hello, int from, int end) {
    for (int i = from; i + 2 <= end; i += 2) {
      int scheme = hello.getUnsignedShort(i);
      if (scheme == 0x0403 || scheme == 0x0503 || scheme == 0x0603) {
        return true;
      }
    }
    return false;
  }
}
