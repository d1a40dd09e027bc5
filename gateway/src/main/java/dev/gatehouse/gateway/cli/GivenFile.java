package dev.gatehouse.gateway.cli;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import picocli.CommandLine;

/** A file that a command line names: what is wrong with it is a mistake of who typed it, and is said in a sentence. */
public final class GivenFile {

  private GivenFile() {}

  /** Returns the text of the file, in UTF-8. */
  static String text(CommandLine line, Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw mistake(line, file, e);
    }
  }

  /** Returns the bytes of the file; throws if it cannot be read. */
  static byte[] bytes(CommandLine line, Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw mistake(line, file, e);
    }
  }

  private static CommandLine.ParameterException mistake(CommandLine line, Path file, IOException failure) {
    return new CommandLine.ParameterException(line, SafeText.line(problem(file, failure)), failure);
  }

  /** Returns a sentence about a file that could not be read. */
  public static String problem(Path file, IOException failure) {
    return switch (failure) {
      case NoSuchFileException _ -> "There is no file " + file + ".";
      case AccessDeniedException _ -> file + " may not be read by this user.";
      case CharacterCodingException _ -> file + " is no text in UTF-8: save it so, for example by iconv -f windows-1252 -t utf-8.";
      default -> file + " cannot be read: " + failure.getMessage();
    };
  }
}
