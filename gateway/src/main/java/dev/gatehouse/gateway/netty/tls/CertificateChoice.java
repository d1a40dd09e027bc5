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
    ecdsa = clientHello != null && ClientHello.verifiesEcdsa(clientHello);
    ClientHello.keep(ctx.channel(), clientHello == null ? ClientHello.UNREAD : ClientHello.digest(clientHello));
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
}
