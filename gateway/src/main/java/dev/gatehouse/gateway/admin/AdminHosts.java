package dev.gatehouse.gateway.admin;

import dev.gatehouse.common.key.Pem;
import dev.gatehouse.common.realm.Node;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The names by which the admin listener may be called (RFC 9110, section 7.4): addresses, {@code localhost}, and the names of
 * its certificate. A page on the Internet whose name was pointed at this listener (DNS rebinding) has another one.
 */
final class AdminHosts {

  /** Type of a DNS name among the subject alternative names (RFC 5280, section 4.2.1.6). */
  private static final Integer DNS_NAME = 2;

  private final Set<String> names = new HashSet<>(Set.of("localhost"));

  AdminHosts(Node.Listener listener) {
    listener.certificates().forEach(tls -> names.addAll(names(tls)));
  }

  /** @param host a Host field's value without its port */
  boolean accepts(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    int dot = name.indexOf('.');
    return names.contains(name)
        || name.endsWith(".localhost")
        || dot > 0 && names.contains("*" + name.substring(dot))
        || isAddress(name);
  }

  private static boolean isAddress(String name) {
    boolean bracketed = name.startsWith("[") && name.endsWith("]");
    try {
      InetAddress.ofLiteral(bracketed ? name.substring(1, name.length() - 1) : name);
      return bracketed == name.contains(":");
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static Set<String> names(Node.Tls tls) {
    Set<String> found = new HashSet<>();
    try {
      X509Certificate own = Pem.certificates(Files.readAllBytes(tls.certificate())).getFirst();
      Collection<List<?>> alternatives = own.getSubjectAlternativeNames();
      if (alternatives != null) {
        alternatives.stream()
            .filter(name -> DNS_NAME.equals(name.get(0)))
            .forEach(name -> found.add(String.valueOf(name.get(1)).toLowerCase(Locale.ROOT)));
      }
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot read " + tls.certificate() + ": " + e.getMessage(), e);
    }
  }
}
