/* main of programs that are linked without --wrap=main, by hand. */

int main (int argc, char **argv, char **envp);
int __wrap_main (int argc, char **argv, char **envp);

int
main (int argc, char **argv, char **envp)
{
  return __wrap_main (argc, argv, envp);
}
