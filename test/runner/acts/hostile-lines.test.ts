import { describe, expect, it } from 'vitest';
import { classifyCommand } from '../../../runner/acts/classify.ts';

const kindsOf = (line: string): string[] => classifyCommand(line).map(({ kind }) => kind);

describe('a line that hides what it does', () => {
  it.each([
    ['g\\it push origin main', 'push'],
    ["'git' 'push' origin main", 'push'],
    ['$(echo git) push origin main', 'push'],
    ['git "push" --quiet origin main', 'push'],
    ['command git push origin main', 'push'],
    ['\\git push origin main', 'push'],
    ['builtin command git push origin main', 'push'],
    ['nohup git push origin main &', 'push'],
    ['stdbuf -oL git push origin main', 'push'],
    ['ionice -c3 git push origin main', 'push'],
    ['script -qc "git push origin main" /dev/null', 'push'],
    ['watch -n1 git push origin main', 'push'],
    ['flock push.lock git push origin main', 'push'],
    ['unshare -r git push origin main', 'push'],
    ['su -c "git push origin main" root', 'push'],
    ['sudo -E -u me git push origin main', 'push'],
    ['doas git push origin main', 'push'],
    ['parallel git push origin ::: main dev', 'push'],
    ['git push origin main 2>&1 | tee log', 'push'],
    ['! git push origin main', 'push'],
    ['if true; then git push origin main; fi', 'push'],
    ['for b in main dev; do git push origin $b; done', 'push'],
    ['while ! git push origin main; do sleep 1; done', 'push'],
    ['case x in x) git push origin main;; esac', 'push'],
    ['coproc git push origin main', 'push'],
    ['trap "git push origin main" EXIT', 'push'],
    ['git push origin main <<< x', 'push'],
    ['cat <(git push origin main)', 'push'],
    ['echo `git push origin main`', 'push'],
    ['x=$(git push origin main)', 'push'],
    ['{ git push origin main; } &', 'push'],
    ['( cd sub && git push origin main )', 'push'],
    ['GIT_SSH_COMMAND="ssh -i k" git push origin main', 'push'],
    ['git -c a=b -C d --no-pager push origin main', 'push'],
    ['git --git-dir=d --work-tree=w push origin main', 'push'],
    ['git push origin +refs/heads/x:refs/heads/main', 'force_push'],
    ['git push --delete origin v1', 'delete'],
    ['git push origin --prune refs/heads/*:refs/heads/*', 'push'],
    ['git subtree push --prefix d origin main', 'push'],
    ['hub push origin main', 'push'],
    ['gh pr merge --admin 4', 'merge'],
    ['GH_TOKEN=x gh api -X PUT repos/a/b/pulls/4/merge', 'merge'],
    ['gh api graphql -f query="mutation{mergePullRequest(input:{}){x}}"', 'merge'],
    ['glab mr merge 4 --yes', 'merge'],
    ['curl -XPUT https://api.github.com/repos/a/b/pulls/4/merge', 'merge'],
    ['wget --method=PUT https://api.github.com/repos/a/b/pulls/4/merge', 'merge'],
    ['http PUT https://api.github.com/repos/a/b/pulls/4/merge', 'merge'],
    ['busybox sh -c "git push origin main"', 'push'],
    ['bash -xec "git push origin main"', 'push'],
    ['zsh -ic "git push origin main"', 'push'],
    ['env -S "git push origin main"', 'push'],
    ['ssh host git push origin main', 'push'],
    ['docker run x git push origin main', 'push'],
    ['docker exec c sh -c "git push origin main"', 'push'],
    ['kubectl exec p -- git push origin main', 'push'],
    ['npm publish --access public', 'publish'],
    ['pnpm -r publish', 'publish'],
    ['yarn npm publish', 'publish'],
    ['cargo publish --no-verify', 'publish'],
    ['twine upload dist/*', 'publish'],
    ['docker push a/b', 'publish'],
    ['terraform -chdir=x apply -auto-approve', 'infrastructure'],
    ['tofu destroy', 'delete'],
    ['helm upgrade --install a b', 'deploy'],
    ['psql -c "DROP TABLE users"', 'drop'],
    ['sqlite3 a.db "delete from users"', 'drop'],
    ['redis-cli FLUSHALL', 'drop'],
    ['mongosh --eval "db.dropDatabase()"', 'drop'],
    ['prisma migrate deploy', 'migration'],
    ['rails db:migrate', 'migration'],
    ['npx drizzle-kit push', 'migration'],
    ['chmod -R 777 /', 'permission'],
    ['chown -R x /srv', 'permission'],
    ['setfacl -m u:x:rwx f', 'permission'],
    ['cat ~/.ssh/id_rsa', 'secret_read'],
    ['gh auth token', 'secret_read'],
    ['printenv GITHUB_TOKEN', 'secret_read'],
    ['git credential fill', 'secret_read'],
    ['security find-generic-password -w', 'secret_read'],
    ['vercel --prod', 'deploy'],
    ['fly deploy', 'deploy'],
    ['git tag -d v1 && git push origin :refs/tags/v1', 'delete'],
    ['git branch -D x', 'delete'],
    ['git update-ref -d refs/heads/x', 'delete'],
    ['git push -f', 'force_push'],
    ['git push --force-with-lease', 'force_push'],
    ['git pu\\sh origin main', 'push'],
    ['git p""ush origin main', 'push'],
    ["git $'push' origin main", 'push'],
    ["$'\\x67it' push origin main", 'push'],
    ['a=pu; b=sh; git $a$b origin main', 'push'],
    ['git${IFS}push${IFS}origin${IFS}main', 'push'],
    ['sh <<< "git push origin main"', 'push'],
    ['printf "git push origin main" | bash', 'push'],
    ['alias g=git; g push origin main', 'push'],
    ['function f { git push origin main; }; f', 'push'],
    ['exec git push origin main', 'push'],
    ['time -p git push origin main', 'push'],
    ['timeout -k 5 20s git push origin main', 'push'],
    ['git push origin HEAD:refs/for/main', 'push'],
    ['jj git push --branch main', 'push'],
    ['git lfs push origin main', 'push'],
    ['svn commit -m x', 'push'],
    ['hg push', 'push'],
    ['gh release create v1', 'release'],
    ['gh workflow run deploy.yml', 'deploy'],
    ['git push https://t@github.com/a/b main', 'push'],
  ])('%s is a %s all the same', (line, kind) => {
    expect(kindsOf(line)).toContain(kind);
  });
});

describe('a line that only looks like it', () => {
  it.each([
    'echo hi # git push origin main',
    'echo "git push origin main"',
    'grep -r "rm -rf" .',
    'git log --grep "git push"',
    'git push --dry-run origin main',
    'cat docs/git-push.md',
    "sed -n 's/git push//p' f",
    'git commit -m "git push origin main"',
    'rm file.txt',
    'man git-push',
    'git help push',
    'npm publish --dry-run',
    'terraform plan',
    'docker ps',
    'docker run --rm alpine ls',
    'kubectl get pods',
    'watch -n 2 git status',
    'script -qc "npm test" out.txt',
    'hg status',
    'jj git fetch',
    'svn update',
    'printenv PATH',
    'echo a${IFS}b',
    'http GET https://api.github.com/repos/a/b/pulls/4/merge',
    'strace -f -o log npm test',
  ])('%s is none', (line) => {
    expect(kindsOf(line)).toEqual([]);
  });
});

describe('what runs elsewhere, or under something that cannot be seen whole', () => {
  it.each([
    'docker run --rm -v .:/w -w /w image git push origin main',
    'docker compose run --rm app git push origin main',
    'podman exec -it box git push origin main',
    'kubectl -n prod exec pod -c app -- git push origin main',
    'ssh host git push origin main',
    'find . -exec git push origin main ";"',
  ])('%s is uncertain', (line) => {
    expect(classifyCommand(line)).toMatchObject([{ kind: 'push', uncertain: true }]);
  });

  it.each(['docker push a/b', 'docker build --push -t a/b .', 'kubectl apply -f x.yml'])(
    '%s is what it was before',
    (line) => {
      expect(classifyCommand(line).length).toBeGreaterThan(0);
    },
  );
});

describe('what no line shows, and the refs or the seal must', () => {
  it.each([
    'eval $(echo "git push origin main")',
    'source <(echo git push origin main)',
    `python -c "import shutil; shutil.rmtree('x')"`,
    'git config alias.p push && git p origin main',
  ])('%s', (line) => {
    expect(kindsOf(line)).toEqual([]);
  });
});
