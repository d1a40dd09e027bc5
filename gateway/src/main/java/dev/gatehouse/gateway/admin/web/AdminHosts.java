package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.node.Node;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The host names of the admin listener (RFC 9110, section 7.4): addresses, {@code localhost}, the names of its
 * certificate, and that of {@code admin.publicUrl}. A web page that points its own name at this listener (DNS rebinding) uses another name.
 */
final class AdminHosts {

  /** Type of a DNS name among the subject alternative names (RFC 5280, section 4.2.1.6). */
  private static final Integer DNS_NAME = 2;

  private static final Logger LOG = LoggerFactory.getLogger(AdminHosts.class);

  /** The attributes that change when a certificate file is replaced. */
  private record Stamp(FileTime modified, long size, String key) {}

  private record Known(List<Stamp> stamps, Set<String> names) {}

  private final List<Node.Tls> certificates;
  private final Optional<String> published;
  private volatile Known known;
  private volatile boolean failing;

  /** @param login empty if only administrator keys open the administration */
  AdminHosts(Node.Listener listener, Optional<Node.AdminLogin> login) {
    this.certificates = listener.certificates();
    this.published = login.map(configured -> configured.publicUrl().host());
    try {
      this.known = read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The names of the certificates on disk; the previous names while a certificate cannot be read. */
  private Set<String> names() {
    try {
      if (!stamps().equals(known.stamps())) {
        known = read();
      }
      failing = false;
    } catch (IOException | RuntimeException e) {
      if (!failing) {
        LOG.warn("The names of the admin listener's certificate cannot be read; the previous names stay in use", e);
      }
      failing = true;
    }
    return known.names();
  }

  private Known read() throws IOException {
    // Read before the content: a file that changes in between is read again.
    List<Stamp> stamps = stamps();
    Set<String> names = new HashSet<>(Set.of("localhost"));
    published.ifPresent(names::add);
    for (Node.Tls tls : certificates) {
      names.addAll(names(tls));
    }
    return new Known(stamps, Set.copyOf(names));
  }

  private List<Stamp> stamps() throws IOException {
    List<Stamp> stamps = new ArrayList<>();
    for (Node.Tls tls : certificates) {
      BasicFileAttributes found = Files.readAttributes(tls.certificate(), BasicFileAttributes.class);
      stamps.add(new Stamp(found.lastModifiedTime(), found.size(), String.valueOf(found.fileKey())));
    }
    return List.copyOf(stamps);
  }

  /** @param host a Host field's value without its port */
  boolean accepts(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    int dot = name.indexOf('.');
    Set<String> names = names();
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

  private static Set<String> names(Node.Tls tls) throws IOException {
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
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot read " + tls.certificate() + ": " + e.getMessage(), e);
    }
  }
}
