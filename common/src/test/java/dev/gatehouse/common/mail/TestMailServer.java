package dev.gatehouse.common.mail;

import dev.gatehouse.common.directory.TestCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.subethamail.smtp.MessageHandler;
import org.subethamail.smtp.RejectException;
import org.subethamail.smtp.auth.EasyAuthenticationHandlerFactory;
import org.subethamail.smtp.auth.LoginFailedException;
import org.subethamail.smtp.server.SMTPServer;

/** An SMTP server on a free port of this host, which keeps what it takes. */
public final class TestMailServer implements AutoCloseable {

  /** A mail as it arrived. */
  public record Received(String from, List<String> to, String text) {

    /** Returns a header field, unfolded. */
    public String header(String name) {
      return text.substring(0, text.indexOf("\r\n\r\n")).replaceAll("\r\n[ \t]+", " ").lines()
          .filter(line -> line.startsWith(name + ": "))
          .findFirst()
          .orElse("")
          .replaceFirst(name + ": ", "");
    }

    public String body() {
      return text.substring(text.indexOf("\r\n\r\n") + 4);
    }
  }

  private final SMTPServer server;
  private final List<Received> received = new CopyOnWriteArrayList<>();
  private volatile Optional<RejectException> refusal = Optional.empty();

  private TestMailServer(SMTPServer.Builder builder) {
    this.server = builder.messageHandlerFactory(context -> new Handler()).build();
    server.start();
  }

  /** Returns a server without TLS. */
  public static TestMailServer plain() {
    return new TestMailServer(SMTPServer.port(0).hostName("localhost").insertReceivedHeaders(false));
  }

  /** Returns a server that takes mail of {@code gatehouse}, password {@code demo}, after STARTTLS. */
  static TestMailServer startTls(TestCertificate certificate) throws GeneralSecurityException, IOException {
    return new TestMailServer(
        SMTPServer.port(0)
            .hostName("localhost")
            .insertReceivedHeaders(false)
            .startTlsSocketFactory(certificate.server())
            .requireTLS()
            .requireAuth()
            .authenticationHandlerFactory(
                new EasyAuthenticationHandlerFactory(
                    (user, password, context) -> {
                      if (!user.equals("gatehouse") || !password.equals("demo")) {
                        throw new LoginFailedException();
                      }
                    })));
  }

  /** Returns a server with TLS from the first byte. */
  static TestMailServer smtps(TestCertificate certificate) throws GeneralSecurityException, IOException {
    return new TestMailServer(
        SMTPServer.port(0).hostName("localhost").insertReceivedHeaders(false).serverSocketFactory(certificate.server()));
  }

  public int port() {
    return server.getPortAllocated();
  }

  public List<Received> received() {
    return List.copyOf(received);
  }

  /** Answers recipients with that code from now on; 0 takes them. */
  void refuse(int code) {
    refusal = code == 0 ? Optional.empty() : Optional.of(new RejectException(code, "not now"));
  }

  @Override
  public void close() {
    server.stop();
  }

  /** Collects one mail. */
  private final class Handler implements MessageHandler {
    private String sender = "";
    private final List<String> recipients = new ArrayList<>();

    @Override
    public void from(String from) {
      sender = from;
    }

    @Override
    public void recipient(String recipient) throws RejectException {
      if (refusal.isPresent()) {
        throw refusal.get();
      }
      recipients.add(recipient);
    }

    @Override
    public String data(InputStream data) throws IOException {
      received.add(
          new Received(sender, List.copyOf(recipients), new String(data.readAllBytes(), StandardCharsets.UTF_8)));
      return "taken";
    }

    @Override
    public void done() {}
  }
}
