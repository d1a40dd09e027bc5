package dev.gatehouse.common.mail;

import dev.gatehouse.common.http.OutboundTrust;
import dev.gatehouse.common.node.SmtpConfig;
import dev.gatehouse.common.node.SmtpConfig.Account;
import dev.gatehouse.common.node.SmtpConfig.Security;
import jakarta.mail.Address;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.SendFailedException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.UnsupportedEncodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.eclipse.angus.mail.smtp.SMTPSenderFailedException;

/** Sends mail by SMTP (RFC 5321), over TLS with a verified certificate unless the server is on this host. */
final class SmtpMailServer implements MailServer {

  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration REPLY = Duration.ofSeconds(20);
  private static final int PERMANENT = 500;
  private static final int TEMPORARY = 400;

  private final SmtpConfig config;
  private final InstantSource clock;
  private final Session session;

  SmtpMailServer(SmtpConfig config, InstantSource clock) {
    this.config = config;
    this.clock = clock;
    this.session = Session.getInstance(properties(config));
  }

  private static Properties properties(SmtpConfig config) {
    String protocol = protocol(config);
    String prefix = "mail." + protocol + ".";
    Properties properties = new Properties();
    properties.setProperty(prefix + "connectiontimeout", Long.toString(CONNECT.toMillis()));
    properties.setProperty(prefix + "timeout", Long.toString(REPLY.toMillis()));
    properties.setProperty(prefix + "writetimeout", Long.toString(REPLY.toMillis()));
    properties.setProperty(prefix + "auth", Boolean.toString(config.account().isPresent()));
    properties.setProperty(prefix + "sendpartial", "true");
    if (config.security() != Security.NONE) {
      properties.setProperty(prefix + "ssl.checkserveridentity", "true");
      properties.put(prefix + "ssl.socketFactory", OutboundTrust.with(config.authorities()).getSocketFactory());
      properties.setProperty(prefix + "ssl.socketFactory.fallback", "false");
    }
    if (config.security() == Security.START_TLS) {
      properties.setProperty(prefix + "starttls.enable", "true");
      properties.setProperty(prefix + "starttls.required", "true");
    }
    return properties;
  }

  private static String protocol(SmtpConfig config) {
    return config.security() == Security.SMTPS ? "smtps" : "smtp";
  }

  @Override
  public Outcome send(Mail mail) {
    try (Transport transport = session.getTransport(protocol(config))) {
      Optional<Account> account = config.account();
      if (account.isPresent()) {
        transport.connect(config.host(), config.port(), account.get().user(), account.get().password().value());
      } else {
        transport.connect(config.host(), config.port(), null, null);
      }
      MimeMessage message = message(mail);
      transport.sendMessage(message, message.getAllRecipients());
      return new Outcome.Taken();
    } catch (MessagingException e) {
      return outcome(e);
    }
  }

  private MimeMessage message(Mail mail) throws MessagingException {
    String domain = config.from().substring(config.from().lastIndexOf('@') + 1);
    MimeMessage message =
        new MimeMessage(session) {
          @Override
          protected void updateMessageID() throws MessagingException {
            setHeader("Message-ID", "<" + mail.id() + "@" + domain + ">");
          }
        };
    try {
      message.setFrom(new InternetAddress(config.from(), MailText.oneLine(mail.fromName()), StandardCharsets.UTF_8.name()));
    } catch (UnsupportedEncodingException e) {
      throw new IllegalStateException("every JDK has UTF-8", e);
    }
    List<Address> to = new ArrayList<>();
    for (String address : mail.to()) {
      to.add(new InternetAddress(address, true));
    }
    message.setRecipients(Message.RecipientType.TO, to.toArray(Address[]::new));
    message.setSubject(MailText.oneLine(mail.subject()), StandardCharsets.UTF_8.name());
    message.setSentDate(Date.from(clock.instant()));
    // RFC 3834, section 5: nobody's absence notice answers.
    message.setHeader("Auto-Submitted", "auto-generated");
    message.setText(mail.text(), StandardCharsets.UTF_8.name());
    message.saveChanges();
    return message;
  }

  /** The reasons have the server's replies, which may quote the address, only as codes. */
  private static Outcome outcome(MessagingException failure) {
    if (failure instanceof SendFailedException partly
        && partly.getValidSentAddresses() != null
        && partly.getValidSentAddresses().length > 0) {
      return new Outcome.Taken();
    }
    int code = 0;
    for (Exception e = failure; e != null; e = e instanceof MessagingException m ? m.getNextException() : null) {
      code = Math.max(code, code(e));
    }
    if (code >= PERMANENT) {
      return new Outcome.Refused("SMTP " + code);
    }
    if (code >= TEMPORARY) {
      return new Outcome.Deferred("SMTP " + code);
    }
    return new Outcome.Unreachable(failure.getClass().getSimpleName() + ": " + MailText.oneLine(String.valueOf(failure.getMessage())));
  }

  private static int code(Exception failure) {
    return switch (failure) {
      case SMTPSendFailedException e -> e.getReturnCode();
      case SMTPAddressFailedException e -> e.getReturnCode();
      case SMTPSenderFailedException e -> e.getReturnCode();
      default -> 0;
    };
  }
}
