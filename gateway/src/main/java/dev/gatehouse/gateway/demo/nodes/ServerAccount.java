package dev.gatehouse.gateway.demo.nodes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Under whom a server runs: this user, or, if this process is root's, the user that the server's package made. PostgreSQL refuses root,
 * and the others do not need it.
 *
 * @param user empty for this one
 * @param reads whether it may pass folders that are closed to it, as {@code /root} is
 */
record ServerAccount(Optional<String> user, boolean reads) {

  static final ServerAccount THIS = new ServerAccount(Optional.empty(), false);

  /** @param folder where the server's files are */
  static ServerAccount of(String user, Path folder) {
    boolean isRoot = "root".equals(System.getProperty("user.name"));
    return isRoot ? new ServerAccount(Optional.of(user), !isOpen(folder)) : THIS;
  }

  /** Options of setpriv(1). */
  List<String> options() {
    List<String> options = new ArrayList<>();
    user.ifPresent(name -> options.addAll(List.of("--reuid=" + name, "--regid=" + name, "--clear-groups")));
    if (reads) {
      options.addAll(List.of("--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"));
    }
    return List.copyOf(options);
  }

  /** Makes a folder that only the account may enter. */
  Path folder(Path folder) {
    return own(folder, "rwx------", () -> Files.createDirectories(folder));
  }

  /** Writes a file that only the account may read. */
  Path write(Path file, String text) {
    return own(
        file,
        "rw-------",
        () -> {
          Files.deleteIfExists(file);
          Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
          Files.writeString(file, text);
        });
  }

  private interface Work {
    void execute() throws IOException;
  }

  private Path own(Path file, String permissions, Work work) {
    try {
      work.execute();
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
      if (user.isPresent()) {
        UserPrincipalLookupService people = FileSystems.getDefault().getUserPrincipalLookupService();
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        view.setOwner(people.lookupPrincipalByName(user.get()));
        view.setGroup(people.lookupPrincipalByGroupName(user.get()));
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOpen(Path folder) {
    try {
      for (Path at = folder.toAbsolutePath().getParent(); at != null; at = at.getParent()) {
        if (Files.exists(at) && !Files.getPosixFilePermissions(at).contains(PosixFilePermission.OTHERS_EXECUTE)) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
