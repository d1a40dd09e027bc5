package dev.gatehouse.gateway.demo.nodes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Under whom a server runs: this user, or, if this process is root's, the user that the server's package made. PostgreSQL refuses root,
 * and the others do not need it. Such a user owns the folder of its server and nothing else: root writes no file there by its name.
 *
 * @param user empty for this one
 * @param closed the folder, if it is below one that the user may not pass, as {@code /root} is: the server alone sees it at {@code /mnt}
 */
record ServerAccount(Optional<String> user, Optional<Path> closed) {

  static final ServerAccount THIS = new ServerAccount(Optional.empty(), Optional.empty());

  private static final Path MOUNTED = Path.of("/mnt");
  private static final String MOUNT = "mount --bind \"$0\" " + MOUNTED + " && cd " + MOUNTED + " && exec \"$@\"";

  /** @param folder where the server's files are */
  static ServerAccount of(String user, Path folder) {
    boolean isRoot = "root".equals(System.getProperty("user.name"));
    return isRoot ? new ServerAccount(Optional.of(user), Optional.of(folder.toAbsolutePath()).filter(path -> !isOpen(path))) : THIS;
  }

  /** Returns the command line of a server in a session of its own. */
  List<String> command(OwnProcess.End orphaned, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of("setsid"));
    // No capability passes folders for it: a server that may read any file would give all of them to whoever breaks into it.
    closed.ifPresent(folder -> command.addAll(List.of("unshare", "--mount", "sh", "-c", MOUNT, folder.toString())));
    command.addAll(List.of("setpriv", "--pdeathsig", orphaned.name()));
    user.ifPresent(name -> command.addAll(List.of("--reuid=" + name, "--regid=" + name, "--clear-groups", "--inh-caps=-all")));
    command.addAll(arguments);
    return List.copyOf(command);
  }

  /** Returns the name by which the server reaches a file of its folder. */
  Path seen(Path file) {
    return closed.map(folder -> MOUNTED.resolve(folder.relativize(file.toAbsolutePath()))).orElseGet(file::toAbsolutePath);
  }

  /** Returns where this process writes what the server says: beside its folder, in which the server could put a link in its place. */
  static Path log(Path folder) {
    return folder.resolveSibling(folder.getFileName() + ".log");
  }

  /** Makes a folder that only the account may enter. */
  Path folder(Path folder) {
    try {
      Files.createDirectories(folder);
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
      own(folder);
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a file that only the account may read; it is complete before it comes into the account's folder. */
  Path write(Path file, String text) {
    Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file is in a folder");
    String name = file.getFileName() + ".draft";
    // The folder of another user is not a place for what is not complete.
    Path draft = user.isPresent() ? folder.resolveSibling(name) : folder.resolve(name);
    try {
      Files.deleteIfExists(draft);
      Files.createFile(draft, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(draft, text);
      own(draft);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void own(Path file) throws IOException {
    if (user.isPresent()) {
      UserPrincipalLookupService people = FileSystems.getDefault().getUserPrincipalLookupService();
      PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
      view.setOwner(people.lookupPrincipalByName(user.get()));
      view.setGroup(people.lookupPrincipalByGroupName(user.get()));
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
