package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.node.Node.AuditConfig;
import dev.gatehouse.common.node.Node.AuditConfig.Archive;
import dev.gatehouse.common.node.Node.AuditConfig.SyslogReceiver;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Pems;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads {@code audit} of {@code gatehouse.yaml}. */
final class AuditYaml {

  /**
   * Events that may be left out: what happened every day and was permitted. Refusals, changes by administrators and people, and what ends
   * an authorization can never be left out; nor can accounting, whose answer says that it was recorded (RFC 2866, section 4.2).
   */
  private static final Type<String> ROUTINE = Type.words("AssertionIssued", "AssertionAccepted", "TokensIssued");

  /** Events that may be missing in copies of the log: the log itself has them. */
  private static final Type<String> FREQUENT =
      Type.words("AssertionIssued", "AssertionAccepted", "TokensIssued", "SessionEnded", "LogoutPropagated", "AccountingReceived");

  /** Events that a receiver may do without; the index needs passcodes for the report on failures. */
  private static final Type<String> COPIED =
      Type.words(
          "AssertionIssued", "AssertionAccepted", "TokensIssued", "SessionEnded", "LogoutPropagated", "AccountingReceived",
          "PasscodeDecided");

  private static final Section ARCHIVE = new Section();
  private static final Key<Duration> AFTER =
      ARCHIVE.key("after", Type.duration("1h", "36500d"), "30d", "Rotated files older than this are archived.");
  private static final Key<Path> TO =
      ARCHIVE.required(
          "to", Type.PATH, "/mnt/archive/gatehouse", "write a folder like /mnt/archive/gatehouse",
          "Folder of the archive; files in it are never removed by Gatehouse.");
  private static final Key<String> COMPRESS =
      ARCHIVE.key("compress", Type.words("gzip"), "gzip", "How archived files are compressed.");

  private static final Section SYSLOG = new Section();
  private static final Key<String> HOST =
      SYSLOG.required("host", Type.NAME, "syslog.example.org", "write the receiver's name or address", "The receiver, by name or address.");
  private static final Key<Integer> PORT = SYSLOG.key("port", Type.integer(1, 65_535), "6514", "The receiver's port.");
  private static final Key<List<X509Certificate>> CA =
      SYSLOG.key(
          "ca", Pems.AUTHORITIES, "e.g. tls/private-ca.pem", "Authorities that count for the receiver's certificate beside the JDK's.");
  private static final Key<String> NOT_SENT =
      SYSLOG.list("leaveOut", COPIED, "[]", "Events that the receiver does not get; a gap in their numbers shows them.");

  static final Section KEYS = new Section();
  private static final Key<Path> DIRECTORY =
      KEYS.key(
          "directory", Type.PATH, "e.g. /var/log/gatehouse", "Folder of the audit log; `audit` within `data` unless configured.");
  private static final Key<Long> SIZE =
      KEYS.key("maxFileSize", Type.size(64, 16L << 20), "64MB", "A file is rotated at this size.");
  private static final Key<Duration> KEEP =
      KEYS.key("keep", Type.duration("1d", "36500d"), "365d", "Rotated files older than this are removed.");
  private static final Key<Duration> SEARCHABLE =
      KEYS.key(
          "searchable", Type.duration("0d", "36500d"), "90d",
          "How long events can be searched by REST and `./gatehouse audit search`; `0d`: there is no index.");
  private static final Key<String> LEAVE_OUT =
      KEYS.list(
          "leaveOut", ROUTINE, "[]",
          "Events that are not recorded at all, nor counted by analytics. All others are always recorded. A change is recorded itself.");
  private static final Key<String> UNSEARCHABLE =
      KEYS.list("unsearchable", FREQUENT, "[]", "Events that are recorded, but cannot be searched: the index is smaller without them.");
  private static final Key<Void> ARCHIVING =
      KEYS.section("archive", ARCHIVE, "Compresses old files into another folder; off unless configured.");
  private static final Key<Void> RECEIVERS =
      KEYS.sections("syslog", SYSLOG, "Receivers of events by syslog (RFC 5424) over TLS (RFC 5425).");

  private AuditYaml() {}

  static AuditConfig read(YamlSection audit, Path data) {
    Path directory = audit.get(DIRECTORY, data.resolve("audit"));
    Duration keep = audit.get(KEEP);
    return new AuditConfig(
        directory, audit.get(SIZE), keep, audit.get(SEARCHABLE),
        audit.section(ARCHIVING).flatMap(archive -> archive(archive, directory, keep)), receivers(audit),
        Set.copyOf(audit.all(LEAVE_OUT)), Set.copyOf(audit.all(UNSEARCHABLE)));
  }

  private static Optional<Archive> archive(YamlSection archive, Path directory, Duration keep) {
    Optional<Path> to = archive.find(TO);
    Duration after = archive.get(AFTER);
    archive.get(COMPRESS);
    if (to.isPresent() && to.get().toAbsolutePath().normalize().startsWith(directory.toAbsolutePath().normalize())) {
      archive.problem(TO, "is in the folder of the audit log", "write another folder, best on another disk");
    }
    if (after.compareTo(keep) >= 0) {
      archive.problem(AFTER, "is not before files are removed (keep: " + keep.toDays() + "d)", "write less than audit.keep");
    }
    return to.map(folder -> new Archive(after, folder));
  }

  private static List<SyslogReceiver> receivers(YamlSection audit) {
    Set<String> names = new HashSet<>();
    return audit.sections(RECEIVERS).stream()
        .flatMap(
            section -> {
              Optional<String> host = section.find(HOST);
              int port = section.get(PORT);
              if (host.isPresent() && !names.add(host.get() + ":" + port)) {
                section.problem(HOST, "is there twice with this port", "write each receiver once");
              }
              Set<String> leftOut = Set.copyOf(section.all(NOT_SENT));
              return host.map(name -> new SyslogReceiver(name, port, section.get(CA, List.of()), leftOut)).stream();
            })
        .toList();
  }
}
